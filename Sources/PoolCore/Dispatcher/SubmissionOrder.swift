/// Gives operations positions in the order in which they were submitted; those of a batch that has
/// ranks, in the order of these.
///
/// Positions are what the ready queue sorts by, so they stay small: when they run out, and at
/// least half of them belong to operations that have settled, the living are numbered anew, in
/// the same order. Placing and vacating are amortised constant; memory is four bytes a position.
struct SubmissionOrder {
  /// The handle that holds each position, or `vacant`.
  private var occupants: [OperationHandle] = []

  /// Number of positions in use.
  private(set) var count = 0

  private static let vacant = OperationHandle.none
  private static let smallest = 1 << 10

  /// Whether the next ``place(_:)`` should be preceded by ``renumber(_:)``.
  var isWorthRenumbering: Bool {
    occupants.count == occupants.capacity && occupants.count >= Self.smallest
      && count * 2 <= occupants.count
  }

  /// The handle that holds a position.
  func occupant(_ position: Int) -> OperationHandle {
    occupants[position]
  }

  /// All handles that hold positions, in order.
  var handles: [OperationHandle] {
    occupants.filter { $0 != Self.vacant }
  }

  /// The position after all others.
  mutating func place(_ handle: OperationHandle) -> UInt32 {
    occupants.append(handle)
    count += 1
    return UInt32(occupants.count - 1)
  }

  /// Gives a position back.
  mutating func vacate(_ position: UInt32) {
    occupants[Int(position)] = Self.vacant
    count -= 1
  }

  /// Closes the gaps; the closure hears each living handle and its new position, in order.
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
