/// Finds rows by their identifiers: open addressing, eight bytes a place, no text of its own.
///
/// It holds half of each hash beside the row, so that almost every comparison that is made
/// succeeds. Linear probing, at most half full.
struct IdentifierTable {
  private struct Place {
    /// The row's index and 1; 0 where the place is free.
    var row: UInt32 = 0
    var hash: UInt32 = 0
  }

  private var places: [Place]
  private let mask: Int

  /// Makes room for that many rows.
  init(capacity: Int) {
    var size = 16
    while size < capacity * 2 { size *= 2 }
    places = [Place](repeating: Place(), count: size)
    mask = size - 1
  }

  /// The row of an identifier, which must be equal by the closure's judgement; nil where none is.
  func find(_ hash: UInt64, _ isEqual: (Int) -> Bool) -> Int? {
    let place = places[slot(hash, isEqual)]
    return place.row == 0 ? nil : Int(place.row) - 1
  }

  /// Adds a row, or returns the row that has its identifier already.
  mutating func insert(_ row: Int, _ hash: UInt64, _ isEqual: (Int) -> Bool) -> Int? {
    let slot = slot(hash, isEqual)
    if places[slot].row != 0 { return Int(places[slot].row) - 1 }
    places[slot] = Place(row: UInt32(row + 1), hash: UInt32(truncatingIfNeeded: hash >> 32))
    return nil
  }

  /// Where the identifier is, or would be.
  @inline(__always)
  private func slot(_ hash: UInt64, _ isEqual: (Int) -> Bool) -> Int {
    let half = UInt32(truncatingIfNeeded: hash >> 32)
    var slot = Int(truncatingIfNeeded: hash) & mask
    while places[slot].row != 0 {
      if places[slot].hash == half, isEqual(Int(places[slot].row) - 1) { return slot }
      slot = (slot + 1) & mask
    }
    return slot
  }
}
