/// How much the run reports on standard error.
package enum Verbosity: Hashable, Sendable {
  case quiet
  case normal
  case verbose
}
