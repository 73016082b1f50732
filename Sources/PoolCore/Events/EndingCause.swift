import PoolModel

/// Why an operation ended as it did, where the worker's own answer does not say it.
package enum EndingCause: UInt8, Hashable, Sendable, CaseIterable {
  /// The worker's answer says it.
  case answer
  /// Its execution took longer than its timeout.
  case timeout
  /// It was cancelled.
  case request
  /// Its worker died.
  case workerDied
  /// The link to its worker ended, or broke the protocol, and it may have begun there.
  case mayHaveBegun
  /// Its worker broke the protocol.
  case violation
  /// Too many workers died while they executed it or were about to.
  case quarantined
  /// A dependency did not end as required.
  case dependency
  /// A group's member did not succeed.
  case member
  /// No worker that serves its kind can be started.
  case noWorker
  /// No worker serves its kind.
  case unservedKind
  /// A condition that it was to be executed under did not hold.
  case condition
  /// What it was to work on could not be made from what it depends on.
  case input
}

extension EndingCause {
  /// What a worker's answer with this ending means.
  @inline(__always)
  init(ofAnswer ending: PoolEnding) {
    switch ending {
    case .cancelled: self = .request
    case .lost: self = .workerDied
    case .timedOut: self = .timeout
    case .succeeded, .failed, .skipped: self = .answer
    }
  }
}
