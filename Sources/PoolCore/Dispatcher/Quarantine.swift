/// Operations under which workers have died: few, so that nothing of them is in an operation's
/// life.
///
/// Such an operation is dispatched to a fresh worker only, with nothing behind it: so its fault
/// costs no other operation an attempt, and is blamed on no other.
struct Quarantine {
  /// How many workers have died, by the operation's handle.
  private(set) var deaths: [OperationHandle: Int] = [:]
  /// Those that wait for a worker, and that a worker may be given.
  var offeredCount = 0

  /// Whether the operation in this handle is one.
  func contains(_ handle: OperationHandle) -> Bool { !deaths.isEmpty && deaths[handle] != nil }

  /// Counts a worker's death for an operation; returns the number so far.
  mutating func count(_ handle: OperationHandle) -> Int {
    deaths[handle, default: 0] += 1
    return deaths[handle, default: 0]
  }

  /// An operation has settled.
  mutating func forget(_ handle: OperationHandle) {
    if !deaths.isEmpty { deaths[handle] = nil }
  }
}
