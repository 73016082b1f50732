/// Combines the inputs of several sources like GNU parallel: all combinations, the last source
/// changing fastest; linked sources advance together, and end with the shortest.
///
/// The first source is read when it is needed; all others are stored, because they are needed
/// again.
struct InputCombination {
  /// Reads the next input of a source by its number; nil at its end.
  typealias Read = (Int) throws(InputError) -> [UInt8]?

  /// Sources that advance together: their numbers.
  private let groups: [Range<Int>]
  /// The rows of each group but the first; empty until they are read.
  private var kept: [[[[UInt8]]]] = []
  /// The current row of the first group; nil before it is read, and at its end.
  private var first: [[UInt8]]?
  /// The next row of each other group.
  private var places: [Int]
  private var hasStarted = false

  /// Combines sources; a linked one advances with the source before it.
  init(linked: [Bool]) {
    var groups: [Range<Int>] = []
    for (number, isLinked) in linked.enumerated() {
      if isLinked, let last = groups.popLast() {
        groups.append(last.lowerBound..<number + 1)
      } else {
        groups.append(number..<number + 1)
      }
    }
    self.groups = groups
    places = [Int](repeating: 0, count: max(groups.count - 1, 0))
  }

  /// Returns the next combination, one field of each source; nil at the end.
  mutating func next(_ read: Read) throws(InputError) -> [[UInt8]]? {
    if !hasStarted {
      hasStarted = true
      for group in groups.dropFirst() { kept.append(try Self.rows(of: group, read)) }
      if kept.contains([]) { return nil }
      first = try Self.row(of: groups[0], read)
    } else if kept.isEmpty || !advance() {
      first = try Self.row(of: groups[0], read)
    }
    // One group is by far the most common.
    guard let first, !kept.isEmpty else { return first }
    return zip(kept, places).reduce(first) { $0 + $1.0[$1.1] }
  }

  /// Moves to the next row of the stored groups; false when they start again.
  private mutating func advance() -> Bool {
    for index in places.indices.reversed() {
      places[index] += 1
      if places[index] < kept[index].count { return true }
      places[index] = 0
    }
    return false
  }

  private static func row(of group: Range<Int>, _ read: Read) throws(InputError) -> [[UInt8]]? {
    var row: [[UInt8]] = []
    for source in group {
      guard let field = try read(source) else { return nil }
      row.append(field)
    }
    return row
  }

  private static func rows(of group: Range<Int>, _ read: Read) throws(InputError) -> [[[UInt8]]] {
    var rows: [[[UInt8]]] = []
    while let row = try row(of: group, read) { rows.append(row) }
    return rows
  }
}
