/// The variable that a coordinator sets to `1` for an executable that is its own worker.
package enum WorkerVariable {
  package static let name = "OPOOL_WORKER"
}
