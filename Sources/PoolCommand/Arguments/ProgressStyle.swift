/// How a terminal shows the progress of a run.
package enum ProgressStyle: String, CaseIterable, Sendable {
  case block
  case line
  case hidden = "none"
}
