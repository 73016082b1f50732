import OperationPool
import PoolWire

/// The exit code or the signal that a command which did not succeed has ended by, as far as anybody
/// knows.
struct CommandEnd: Equatable {
  var exit: Int32?
  var signal: Int32?

  /// Of one that failed, what is said of its failure; of one that was to end, what its worker has
  /// answered.
  init(_ failure: PoolFailure?, _ answer: Answer?, wasToEnd: Bool) {
    if failure?.cause == "exit" { exit = failure?.code }
    if failure?.cause == "signal" { signal = failure?.code }
    guard exit == nil, signal == nil, wasToEnd, let answer else { return }
    switch answer.failure?.cause {
    // What has not started has consumed nothing.
    case nil: exit = answer.usage == nil ? nil : 0
    case .exit: exit = answer.failure?.code
    case .signal: signal = answer.failure?.code
    case .error, .spawn: break
    }
  }
}
