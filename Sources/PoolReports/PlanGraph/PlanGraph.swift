import PoolCore
package import PoolInputs
import PoolModel
import PoolText

/// What a plan's picture shows: operations, or many of them at once, and what waits for what.
package struct PlanGraph {
  /// What a picture shows as one.
  struct Node {
    enum Content: Hashable {
      /// An operation.
      case operation(Int)
      /// The operations of a group; without any, the end of the group, for which others wait.
      case group(Int)
      /// Operations without a group, by level, from 1.
      case levels(ClosedRange<Int>)
    }

    let content: Content
    /// The operations that it stands for, in the order of the workload.
    var operations: [Int]

    init(_ content: Content, _ operations: [Int]) {
      (self.content, self.operations) = (content, operations)
    }
  }

  /// The second node waits for the first one.
  struct Edge: Hashable {
    let from: Int
    let to: Int
    let meaning: PlanLinks.Meaning
  }

  let workload: any Workload
  let nodes: [Node]
  /// In the order of the nodes, and how many links of the workload each stands for.
  let edges: [(edge: Edge, count: Int)]
  /// The node in the middle; nil for a picture of everything, or of what is around a group.
  let centerNode: Int?
  /// Number of steps from the center, and of operations that are further away; nil for everything.
  package let neighbourhood: (steps: Int, fartherCount: Int)?

  /// The number of operations above which a picture shows groups.
  package static let limit = 60

  /// Draws everything, or what is around the operation or group with an identifier.
  ///
  /// Linear in operations and dependencies; throws if there is no such operation or group.
  package init(
    _ workload: any Workload,
    around id: [UInt8]? = nil,
    limit: Int = Self.limit
  ) throws(UnknownNameError) {
    let links = PlanLinks(workload)
    let centers = try id.map { id throws(UnknownNameError) in try Self.centers(id, in: workload) }
    let near = centers.map { PlanNeighbourhood(of: $0, in: links, limit: limit) }
    let center = centers.flatMap { $0.count == 1 && $0[0] < workload.count ? $0[0] : nil }
    let folding = PlanFolding(workload, links, near: near, center: center, limit: limit)
    self.workload = workload
    nodes = folding.nodes
    edges = Self.edges(links, folding.places)
    centerNode = center.map { folding.places[$0] }
    neighbourhood = near.map { ($0.steps, $0.fartherCount) }
  }

  /// An operation, or a group and its members.
  private static func centers(
    _ id: [UInt8],
    in workload: any Workload
  ) throws(UnknownNameError) -> [Int] {
    if let operation = (0..<workload.count).first(where: { workload.id(of: $0) == id }) {
      return [operation]
    }
    if let group = (0..<workload.groupCount).first(where: { workload.groupName($0) == id }) {
      return [workload.count + group]
        + (0..<workload.count).filter { workload.group(of: $0) == group }
    }
    let names =
      (0..<workload.count).lazy.map { workload.id(of: $0) }
      + (0..<workload.groupCount).lazy.map { workload.groupName($0) }
    throw UnknownNameError(id, among: names)
  }

  /// Links between nodes, those of a pair together.
  private static func edges(_ links: PlanLinks, _ places: [Int]) -> [(edge: Edge, count: Int)] {
    var counts: [Edge: Int] = [:]
    for link in links.links {
      let (from, to) = (places[Int(link.from)], places[Int(link.to)])
      guard from >= 0, to >= 0, from != to else { continue }
      counts[Edge(from: from, to: to, meaning: link.meaning), default: 0] += 1
    }
    return counts.map { ($0.key, $0.value) }.sorted {
      ($0.0.from, $0.0.to, $0.0.meaning.rawValue) < ($1.0.from, $1.0.to, $1.0.meaning.rawValue)
    }
  }
}

/// A name that no operation and no group has.
package struct UnknownNameError: Error {
  /// The name.
  package let name: [UInt8]
  /// Names that may be meant, at most three.
  package let candidates: [String]

  /// Names that contain it come first, then the most similar one.
  init(_ name: [UInt8], among names: some Sequence<[UInt8]>) {
    self.name = name
    let names = Array(names)
    let containing = names.lazy.filter { !name.isEmpty && $0.containsBytes(name) }.prefix(3)
    // A name of one letter is near to every other one.
    let nearest = name.count > 1 ? NearestName.of(name, among: names) : nil
    let others = containing.filter { $0 != nearest }
    candidates = (nearest.map { [$0] + others } ?? Array(others)).prefix(3)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// The sentence for people.
  package var message: String {
    let names = candidates.map { "'\(Printable.name($0))'" }.joined(separator: " or ")
    let hint = candidates.isEmpty ? "" : "; did you mean \(names)?"
    return "no operation or group is called '\(Printable.name(name))'\(hint)"
  }
}

extension [UInt8] {
  /// Whether some bytes stand anywhere among these.
  fileprivate func containsBytes(_ part: [UInt8]) -> Bool {
    guard let first = part.first, part.count <= count else { return false }
    var start = startIndex
    while let found = self[start...].firstIndex(of: first), found + part.count <= count {
      if self[found..<found + part.count].elementsEqual(part) { return true }
      start = found + 1
    }
    return false
  }
}
