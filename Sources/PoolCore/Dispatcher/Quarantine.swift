/// Operations under which workers have died: few, so that nothing of them is in an operation's
/// life.
///
/// Such an operation is dispatched to a fresh worker only, with nothing behind it: so that whatever
/// it does costs nobody else anything, and says something about nobody else.
struct Quarantine {
  /// How many workers have died, by the operation's slot.
  private(set) var deaths: [OperationHandle: Int] = [:]
  /// Those that wait for a worker, and that a worker may be given.
  var offeredCount = 0

  /// Whether the operation in this slot is one.
  func contains(_ slot: OperationHandle) -> Bool { !deaths.isEmpty && deaths[slot] != nil }

  /// A worker's death is held against an operation; returns how many are by now.
  mutating func count(_ slot: OperationHandle) -> Int {
    deaths[slot, default: 0] += 1
    return deaths[slot, default: 0]
  }

  /// An operation has settled.
  mutating func forget(_ slot: OperationHandle) {
    if !deaths.isEmpty { deaths[slot] = nil }
  }
}
