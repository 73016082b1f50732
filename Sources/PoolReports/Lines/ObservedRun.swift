package import PoolInputs

/// A run, as its readers know it.
package protocol ObservedRun: AnyObject, Sendable {
  /// Whether something has made it end early.
  var isEnding: Bool { get }

  /// Ends it, unless it ends already, with this exit code.
  func end(as code: ExitCode)

  /// Dispatches nothing while a target of lines is slow, as the closure says, which is called under
  /// the run's lock.
  func suspend(for lines: TargetLines, while isSlow: () -> Bool)

  /// The thread that writes these lines has ended.
  func noteEnd(of lines: TargetLines)
}
