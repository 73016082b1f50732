/// What is near an operation: what it waits for, and what waits for it.
///
/// It has as many steps in both directions as lead to no more operations than the limit, and at
/// least one. Going through a group is no step.
struct PlanNeighbourhood {
  /// Whether an operation or a group is near, by number.
  private(set) var isNear: [Bool]
  /// Number of operations that are near.
  private(set) var count = 0
  /// Number of steps, and of operations that more steps would lead to.
  private(set) var steps = 1
  private(set) var fartherCount = 0

  /// Finds what is near some operations or groups; linear in operations and dependencies.
  init(of centers: [Int], in links: PlanLinks, limit: Int) {
    let before = Self.distances(from: centers, AdjacentNumbers(links, isForward: false), links)
    let after = Self.distances(from: centers, AdjacentNumbers(links, isForward: true), links)
    let distances = zip(before, after).map { min($0, $1) }
    var counts: [Int] = []
    for distance in distances[..<links.operationCount] where distance < Self.unreached {
      while counts.count <= distance { counts.append(0) }
      counts[distance] += 1
    }
    count = counts.prefix(2).reduce(0, +)
    while steps + 1 < counts.count, count + counts[steps + 1] <= limit {
      steps += 1
      count += counts[steps]
    }
    fartherCount = counts.reduce(0, +) - count
    let steps = steps
    isNear = distances.map { $0 <= steps }
  }

  private static let unreached = Int.max

  /// The number of steps to each operation and group.
  private static func distances(
    from centers: [Int],
    _ adjacent: AdjacentNumbers,
    _ links: PlanLinks
  ) -> [Int] {
    var distances = [Int](repeating: unreached, count: links.count)
    for center in centers { distances[center] = 0 }
    var frontier = centers
    var distance = 0
    while !frontier.isEmpty {
      var next: [Int] = []
      var index = 0
      while index < frontier.count {
        for other in adjacent[frontier[index]] where distances[Int(other)] == unreached {
          distances[Int(other)] = distance + 1
          // What is behind a group is as near as the group.
          if other >= links.operationCount {
            frontier.append(Int(other))
          } else {
            next.append(Int(other))
          }
        }
        index += 1
      }
      (frontier, distance) = (next, distance + 1)
    }
    return distances
  }
}

/// For each operation and group those behind it, or those before it.
private struct AdjacentNumbers {
  private var starts: [Int]
  private var numbers: [UInt32]

  init(_ links: PlanLinks, isForward: Bool) {
    starts = Array(repeating: 0, count: links.count + 1)
    for link in links.links { starts[Int(isForward ? link.from : link.to) + 1] += 1 }
    for index in 1..<starts.count { starts[index] += starts[index - 1] }
    numbers = Array(repeating: 0, count: links.links.count)
    var places = starts
    for link in links.links {
      let from = Int(isForward ? link.from : link.to)
      numbers[places[from]] = isForward ? link.to : link.from
      places[from] += 1
    }
  }

  subscript(number: Int) -> ArraySlice<UInt32> { numbers[starts[number]..<starts[number + 1]] }
}
