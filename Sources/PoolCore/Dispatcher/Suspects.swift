/// Operations during which workers have died.
///
/// They are few, so the records of operations hold nothing about them.
///
/// Such an operation is dispatched to a fresh worker only, and nothing behind it: so its fault
/// costs no other operation an attempt, and no other operation gets the blame.
struct Suspects {
  /// Number of workers that have died, by the operation's handle.
  private(set) var deaths: [OperationHandle: Int] = [:]
  /// Number of suspects that wait for a worker and are offered.
  var offeredCount = 0

  /// Whether the operation with this handle is a suspect.
  func contains(_ handle: OperationHandle) -> Bool { !deaths.isEmpty && deaths[handle] != nil }

  /// Counts a worker's death for an operation; returns its number of deaths so far.
  mutating func count(_ handle: OperationHandle) -> Int {
    deaths[handle, default: 0] += 1
    return deaths[handle, default: 0]
  }

  /// An operation has settled.
  mutating func forget(_ handle: OperationHandle) {
    if !deaths.isEmpty { deaths[handle] = nil }
  }
}
