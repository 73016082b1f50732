package import PoolModel

/// What a slot was used for in a span of time, or why it was idle.
package enum SlotUse: Hashable, Sendable {
  /// An attempt that succeeded.
  case succeeded
  /// The last attempt of an operation that did not succeed.
  case unsuccessful
  /// An attempt that had not ended when the records did.
  case unfinished
  /// An attempt that another one followed.
  case repeated
  /// Idle: no worker had greeted, or fewer than there are slots.
  case starting
  /// Idle: operations were still to be submitted.
  case input
  /// Idle: all that was left waited for dependencies, or for a barrier.
  case dependencies
  /// Idle: what was ready needed units of a resource that others held.
  case limit(ResourceName)
  /// Idle: what was ready needed more slots than were free.
  case room
  /// Idle: operations waited to be tried again.
  case retry
  /// Idle: something was ready, and on its way to a worker.
  case handover
  /// Idle: something was ready, and the last start was too recent.
  case delay
  /// Idle: something was ready, and the run was paused.
  case pause
  /// Idle: nothing was left to begin.
  case ending

  /// Whether nothing was executed.
  package var isIdle: Bool {
    switch self {
    case .succeeded, .unsuccessful, .unfinished, .repeated: false
    case .starting, .input, .dependencies, .limit, .room, .retry, .handover, .delay, .pause,
      .ending:
      true
    }
  }

  /// The uses in which something was executed.
  static let busy: [Self] = [.succeeded, .unsuccessful, .unfinished, .repeated]

  /// The place among ``busy`` of an attempt, which may be the last one of its operation.
  static func busyPlace(of ending: PoolEnding?, isLast: Bool) -> Int8 {
    guard isLast else { return 3 }
    guard let ending else { return 2 }
    return ending == .succeeded ? 0 : 1
  }

  /// The order of uses that took the same time.
  var order: (Int, String) {
    switch self {
    case .succeeded: (0, "")
    case .unsuccessful: (1, "")
    case .unfinished: (2, "")
    case .repeated: (3, "")
    case .starting: (4, "")
    case .dependencies: (5, "")
    case .limit(let name): (6, name.words)
    case .room: (7, "")
    case .retry: (8, "")
    case .handover: (9, "")
    case .ending: (10, "")
    case .input: (11, "")
    case .pause: (12, "")
    case .delay: (13, "")
    }
  }
}
