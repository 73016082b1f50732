package import PoolInputs

/// A run, as its readers know it.
package protocol ObservedRun: AnyObject, Sendable {
  /// Whether something has made it end early.
  var isEnding: Bool { get }

  /// Ends it, unless it ends already, with this exit code.
  func end(as code: ExitCode)
}
