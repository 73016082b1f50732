import OperationPool
import PoolWire

/// The exit code or the signal of a command that did not succeed, if known.
struct CommandEnd: Equatable {
  var exit: Int32?
  var signal: Int32?

  /// Takes it from the failure; for a command that was told to end, from the worker's answer.
  init(_ failure: PoolFailure?, _ answer: Answer?, wasToEnd: Bool) {
    if failure?.cause == .exit { exit = failure?.code }
    if failure?.cause == .signal { signal = failure?.code }
    guard exit == nil, signal == nil, wasToEnd, let answer else { return }
    switch answer.failure?.cause {
    // A command that did not start has used nothing.
    case nil: exit = answer.usage == nil ? nil : 0
    case .exit: exit = answer.failure?.code
    case .signal: signal = answer.failure?.code
    case .error, .spawn, .outputLimit: break
    }
  }
}
