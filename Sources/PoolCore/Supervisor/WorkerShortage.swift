/// What a worker was short of when it could not be started, or could not begin its operation.
package enum WorkerShortage: Sendable {
  /// Something of the system's, such as processes or memory, which other processes may free.
  case ofSystem
  /// Open files of this process: only its own workers can free some.
  case ofOwnDescriptors
}
