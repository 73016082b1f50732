/// Decides which values of a reduction are combined next, in the order of their inputs.
///
/// Groups of neighbours on one level are combined, and each becomes a value of the next level. So
/// all complete groups can be combined at once, at most one group of each level waits for missing
/// values, and everything else is forgotten.
struct ReductionTree<Value> {
  /// The position of a value: its level, 0 for inputs, and its index there.
  struct Place: Hashable {
    var level = 0
    var index: Int
  }

  /// Neighbours that are combined into one value.
  struct Combination {
    let values: [Value]
    let place: Place
  }

  /// Maximum number of values combined at once.
  private let fanIn: Int
  /// Values that wait for neighbours, by group, on each level.
  private(set) var levels: [[Int: [Int: Value]]] = []
  /// The remaining values, in order, once there are no more inputs; nil before.
  private(set) var rest: [Value]?

  init(fanIn: Int) {
    self.fanIn = max(fanIn, 2)
  }

  /// Takes a value; returns the group that it completes.
  mutating func put(_ value: Value, at place: Place) -> Combination? {
    guard rest == nil else {
      rest?.insert(value, at: 0)
      return nil
    }
    let (group, offset) = place.index.quotientAndRemainder(dividingBy: fanIn)
    while levels.count <= place.level { levels.append([:]) }
    levels[place.level][group, default: [:]][offset] = value
    guard levels[place.level][group]?.count == fanIn,
      let values = levels[place.level].removeValue(forKey: group)
    else { return nil }
    return combination(of: values, Place(level: place.level + 1, index: group))
  }

  /// The next combination after the last input, once all earlier combinations are done; the last
  /// value if there is none.
  mutating func finish() -> (next: Combination?, result: Value?) {
    var rest = self.rest ?? unfinishedGroups()
    defer { self.rest = rest }
    guard rest.count > 1 else { return (nil, rest.first) }
    let values = Array(rest.prefix(fanIn))
    rest.removeFirst(values.count)
    return (Combination(values: values, place: Place(index: 0)), nil)
  }

  /// The values of all levels: those of higher levels stand for earlier inputs.
  private mutating func unfinishedGroups() -> [Value] {
    defer { levels = [] }
    return levels.reversed().flatMap { groups in
      groups.sorted { $0.key < $1.key }.flatMap {
        combination(of: $0.value, Place(index: 0)).values
      }
    }
  }

  private func combination(of values: [Int: Value], _ place: Place) -> Combination {
    Combination(values: values.sorted { $0.key < $1.key }.map(\.value), place: place)
  }
}
