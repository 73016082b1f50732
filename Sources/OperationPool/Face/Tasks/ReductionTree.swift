/// Which values of a reduction are combined next, in the order of their inputs.
///
/// Values of one level are combined in groups of neighbours; what a group becomes is a value of the
/// next level. So as many groups as there are combine at once, while at most one group of each level
/// waits for values that are not there yet, and the rest is forgotten.
struct ReductionTree<Value> {
  /// Where a value stands: on the level of the inputs, which is 0, or above.
  struct Place: Hashable {
    var level = 0
    var index: Int
  }

  /// Neighbours that become one value.
  struct Combination {
    let values: [Value]
    let place: Place
  }

  /// How many values are combined at once.
  private let fanIn: Int
  /// Values that wait for neighbours, by group, on each level.
  private var levels: [[Int: [Int: Value]]] = []
  /// What is left when no more inputs come, in order; nil before.
  private var rest: [Value]?

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

  /// What follows where no more inputs come, and all that was to be combined is there; the last
  /// value where nothing does.
  mutating func finish() -> (next: Combination?, result: Value?) {
    var rest = self.rest ?? unfinishedGroups()
    defer { self.rest = rest }
    guard rest.count > 1 else { return (nil, rest.first) }
    let values = Array(rest.prefix(fanIn))
    rest.removeFirst(values.count)
    return (Combination(values: values, place: Place(index: 0)), nil)
  }

  /// The values of all levels: those of higher ones stand for earlier inputs.
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

  /// Number of values that are kept.
  var count: Int {
    rest?.count ?? levels.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.count } }
  }
}
