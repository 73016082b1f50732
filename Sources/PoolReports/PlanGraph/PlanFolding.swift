import PoolCore
import PoolInputs

/// The nodes of a picture, and which of them each operation and group is in.
struct PlanFolding {
  private(set) var nodes: [PlanGraph.Node] = []
  /// By the numbers of operations, and groups behind them; -1 for what is not shown.
  private(set) var places: [Int]

  private let links: PlanLinks
  private let workload: any Workload
  private let isShown: (Int) -> Bool

  /// Gives each operation a node of its own if there are no more than the limit.
  ///
  /// Otherwise the operations of a group have one, and so have, if there are many, those without a
  /// group on a level; the center keeps its own.
  init(
    _ workload: any Workload,
    _ links: PlanLinks,
    near neighbourhood: PlanNeighbourhood?,
    center: Int?,
    limit: Int
  ) {
    (self.workload, self.links) = (workload, links)
    places = Array(repeating: -1, count: links.count)
    isShown = { neighbourhood?.isNear[$0] ?? true }
    if neighbourhood?.count ?? links.operationCount <= limit {
      for operation in 0..<links.operationCount where isShown(operation) { add(operation) }
      addAwaitedGroups()
    } else {
      fold(center: center, limit: limit)
    }
  }

  private mutating func add(_ operation: Int) {
    places[operation] = nodes.count
    nodes.append(PlanGraph.Node(.operation(operation), [operation]))
  }

  /// A group that operations wait for is a node, too.
  private mutating func addAwaitedGroups() {
    for group in 0..<links.groupCount where links.isAwaited[group] {
      let number = links.operationCount + group
      guard isShown(number) else { continue }
      places[number] = nodes.count
      nodes.append(PlanGraph.Node(.group(group), []))
    }
  }

  private mutating func fold(center: Int?, limit: Int) {
    var single: [Int] = []
    for operation in 0..<links.operationCount where isShown(operation) {
      if operation == center {
        add(operation)
      } else if let group = workload.group(of: operation) {
        add(operation, to: group)
      } else {
        single.append(operation)
      }
    }
    for group in 0..<links.groupCount where links.isAwaited[group] {
      if isShown(links.operationCount + group) { _ = place(ofGroup: group) }
    }
    let rest = limit - nodes.count
    if single.count <= rest {
      for operation in single { add(operation) }
    } else {
      addLevels(single, atMost: max(rest, Self.leastLevels))
    }
  }

  /// Operations without a group have so many nodes at least, however many groups there are.
  private static let leastLevels = 10

  private mutating func add(_ operation: Int, to group: Int) {
    places[operation] = place(ofGroup: group)
    nodes[places[operation]].operations.append(operation)
  }

  private mutating func place(ofGroup group: Int) -> Int {
    let number = links.operationCount + group
    if places[number] < 0 {
      places[number] = nodes.count
      nodes.append(PlanGraph.Node(.group(group), []))
    }
    return places[number]
  }

  /// A node for each level, or for several that follow each other if there are too many.
  private mutating func addLevels(_ operations: [Int], atMost limit: Int) {
    let levels = Self.levels(of: workload)
    let used = Set(operations.map { levels[$0] }).sorted()
    let length = (used.count + limit - 1) / limit
    var places: [UInt32: Int] = [:]
    for start in stride(from: 0, to: used.count, by: length) {
      let span = used[start..<min(start + length, used.count)]
      for level in span { places[level] = nodes.count }
      let range = Int(span[start]) + 1...Int(span[span.endIndex - 1]) + 1
      nodes.append(PlanGraph.Node(.levels(range), []))
    }
    for operation in operations {
      guard let place = places[levels[operation]] else { continue }
      self.places[operation] = place
      nodes[place].operations.append(operation)
    }
  }

  private static func levels(of workload: any Workload) -> [UInt32] {
    let none = [UInt32](repeating: 0, count: workload.count)
    // A manifest with a cycle is refused before.
    guard let graph = workload.graph,
      let order = try? DependencyOrder(graph, joinsFrom: workload.count)
    else { return none }
    return order.levels
  }
}
