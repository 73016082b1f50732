/// Gives operations positions in the order of submission; operations of a batch with ranks get them
/// in the order of ranks.
///
/// The ready queue sorts by positions, so they stay small: when they run out, and at least half of
/// them belong to operations that have settled, the others are renumbered in the same order.
/// Placing and vacating are amortised constant; memory is four bytes for each position.
struct SubmissionOrder {
  /// The operation at each position, or `vacant`.
  private(set) var occupants: [OperationHandle] = []

  /// Number of positions in use.
  private(set) var count = 0

  static let vacant = OperationHandle.none
  private static let smallest = 1 << 10

  /// Whether to call ``renumber(_:)`` before the next ``place(_:)``.
  var isWorthRenumbering: Bool {
    occupants.count == occupants.capacity && occupants.count >= Self.smallest
      && count * 2 <= occupants.count
  }

  /// The operation at a position.
  func occupant(_ position: Int) -> OperationHandle {
    occupants[position]
  }

  /// Gives an operation the position after all others.
  @inline(__always)
  mutating func place(_ handle: OperationHandle) -> UInt32 {
    occupants.append(handle)
    count += 1
    return UInt32(occupants.count - 1)
  }

  /// Frees a position.
  mutating func vacate(_ position: UInt32) {
    occupants[Int(position)] = Self.vacant
    count -= 1
  }

  /// Closes the gaps; passes each operation and its new position to the closure, in order.
  mutating func renumber(_ moved: (_ handle: OperationHandle, _ position: UInt32) -> Void) {
    var next = 0
    for occupant in occupants where occupant != Self.vacant {
      occupants[next] = occupant
      moved(occupant, UInt32(next))
      next += 1
    }
    occupants.removeLast(occupants.count - next)
  }
}
