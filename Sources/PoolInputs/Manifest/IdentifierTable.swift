/// A hash table from identifiers to rows: open addressing, eight bytes per place, no stored text.
///
/// Each place has half of the hash beside the row, so that almost every full comparison succeeds.
/// Linear probing, at most half full.
struct IdentifierTable {
  private struct Place {
    /// The row's index + 1; 0 for a free place.
    var row: UInt32 = 0
    var hash: UInt32 = 0
  }

  private var places: [Place]
  private let mask: Int

  /// Reserves room for that many rows.
  init(capacity: Int) {
    var size = 16
    while size < capacity * 2 { size *= 2 }
    places = [Place](repeating: Place(), count: size)
    mask = size - 1
  }

  /// The row of an identifier, compared by the closure; nil if there is none.
  func find(_ hash: UInt64, _ isEqual: (Int) -> Bool) -> Int? {
    let place = places[index(of: hash, isEqual)]
    return place.row == 0 ? nil : Int(place.row) - 1
  }

  /// Adds a row; returns the row that already has its identifier, if any.
  mutating func insert(_ row: Int, _ hash: UInt64, _ isEqual: (Int) -> Bool) -> Int? {
    let index = index(of: hash, isEqual)
    if places[index].row != 0 { return Int(places[index].row) - 1 }
    places[index] = Place(row: UInt32(row + 1), hash: UInt32(truncatingIfNeeded: hash >> 32))
    return nil
  }

  /// The place of the identifier, or the free place for it.
  @inline(__always)
  private func index(of hash: UInt64, _ isEqual: (Int) -> Bool) -> Int {
    let half = UInt32(truncatingIfNeeded: hash >> 32)
    var index = Int(truncatingIfNeeded: hash) & mask
    while places[index].row != 0 {
      if places[index].hash == half, isEqual(Int(places[index].row) - 1) { return index }
      index = (index + 1) & mask
    }
    return index
  }
}
