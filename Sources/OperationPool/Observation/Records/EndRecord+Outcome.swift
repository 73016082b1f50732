import PoolContents
import PoolCore
package import PoolEvents
package import PoolModel
import PoolWire

extension EndRecord {
  /// The record of an attempt, or of an operation, that ended so, and has left so many bytes.
  ///
  /// The exit code of a command that succeeded, or was told to end, is known; the closure moves
  /// times.
  package convenience init(
    of outcome: PoolOutcome,
    number: Int,
    root: Root?,
    memberCount: Int? = nil,
    byteCounts: (output: Int64, error: Int64),
    isCommand: Bool = false,
    at moved: (Instant) -> Instant = { $0 }
  ) {
    let (settlement, failure) = (outcome.settlement, outcome.failure)
    let status = outcome.status(failure, isCommand: isCommand)
    self.init(
      number: number,
      memberCount: memberCount,
      ending: outcome.ending,
      cause: failure?.cause,
      root: root,
      exit: status.exit,
      signal: status.signal,
      attempt: outcome.attempts,
      worker: outcome.worker,
      queued: settlement.queued.map(moved),
      started: settlement.started.map(moved),
      finished: moved(settlement.finished),
      usage: outcome.usage,
      outputByteCount: byteCounts.output,
      errorByteCount: byteCounts.error,
      stepsTaken: outcome.stepsTaken,
      errorType: failure?.type,
      errorCode: failure?.cause == .error ? failure?.code : nil,
      message: failure?.sentence
    )
  }
}

extension PoolOutcome {
  /// The exit code or the signal, if known; of a command that was told to end, from the worker's
  /// answer.
  fileprivate func status(
    _ failure: PoolFailure?,
    isCommand: Bool
  ) -> (exit: Int32?, signal: Int32?) {
    if failure?.cause == .exit { return (failure?.code, nil) }
    if failure?.cause == .signal { return (nil, failure?.code) }
    guard isCommand else { return (nil, nil) }
    if settlement.ending == .succeeded, settlement.cause == .answer { return (0, nil) }
    guard let answer = report.answer, !stepsTaken.isEmpty || answer.failure?.cause == .timeout
    else { return (nil, nil) }
    return switch answer.failure?.cause {
    // A command that did not start has used nothing.
    case nil: (answer.usage == nil ? nil : 0, nil)
    case .exit: (answer.failure?.code, nil)
    case .signal, .timeout: (nil, answer.failure?.code)
    case .error, .spawn, .outputLimit: (nil, nil)
    }
  }
}
