/// What a slot was used for in a span of time, or why it was idle.
package enum SlotUse: Hashable, Sendable {
  /// An attempt that succeeded.
  case succeeded
  /// The last attempt of an operation that did not succeed.
  case unsuccessful
  /// An attempt that another one followed.
  case repeated
  /// Idle: no worker had greeted, or fewer than there are slots.
  case starting
  /// Idle: all that was left waited for dependencies, or for a barrier.
  case dependencies
  /// Idle: what was ready needed units of a resource that others held.
  case limit(String)
  /// Idle: what was ready needed more slots than were free.
  case room
  /// Idle: operations waited to be tried again.
  case retry
  /// Idle: something was ready, and on its way to a worker.
  case handover
  /// Idle: nothing was left to begin.
  case ending

  /// Whether nothing was executed.
  package var isIdle: Bool {
    switch self {
    case .succeeded, .unsuccessful, .repeated: false
    case .starting, .dependencies, .limit, .room, .retry, .handover, .ending: true
    }
  }

  /// The order of uses that took the same time.
  var order: (Int, String) {
    switch self {
    case .succeeded: (0, "")
    case .unsuccessful: (1, "")
    case .repeated: (2, "")
    case .starting: (3, "")
    case .dependencies: (4, "")
    case .limit(let name): (5, name)
    case .room: (6, "")
    case .retry: (7, "")
    case .handover: (8, "")
    case .ending: (9, "")
    }
  }
}
