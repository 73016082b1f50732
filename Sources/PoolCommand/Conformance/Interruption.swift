import PoolInputs
import PoolSystem

/// A signal that ends the check.
///
/// It comes as an event of the loop, which first ends the worker with all that it has started.
final class Interruption: Sendable {
  private let wake: WakePipe
  private let received = Monitor<ProcessSignal?>(nil)

  /// Catches the signals from here on, but those that the caller ignores.
  init() throws(SystemFailure) {
    wake = try WakePipe()
    let signals = [ProcessSignal.interrupt, .terminate, .hangUp].filter { !$0.isIgnored }
    try SignalInbox(signals).listen { [self] signal in
      received.withLock { $0 = $0 ?? signal }
      wake.wake()
    }
  }

  /// Readable after a signal.
  var descriptor: Int32 { wake.descriptor }

  /// The exit code that follows from the signal; nil before one.
  var exitCode: ExitCode? {
    switch received.withLock({ $0 }) {
    case nil: nil
    case .interrupt?: .interrupted
    case .hangUp?: .hungUp
    case _?: .terminated
    }
  }
}
