import PoolCore
import PoolModel

/// The plan that `--dry-run` prints.
///
/// Its order is the order of dispatch if there are enough workers and all operations take the same
/// time: by level, then priority, then rank (if any), then submission. Categories and limits are
/// ignored.
package struct DryRunPlan: Sendable {
  /// The operations in the order of dispatch, and their levels; both from 0.
  private let sequence: [UInt32]
  private let levels: [UInt32]
  /// A summary for people.
  package let verdict: String

  /// Plans the operations of a manifest; ranks order those of one priority.
  package init(_ manifest: Manifest, by ranks: [Int64]? = nil) {
    let order = manifest.order
    levels = order.levels
    sequence = Self.sequence(order, by: ranks) { manifest.priority(of: $0) }
    verdict = Self.verdict(
      operations: manifest.count,
      dependencies: manifest.dependencies.targets.count,
      levels: order.levelCount,
      widest: order.widest,
      extras: [
        (manifest.barrierCount, "barrier", "barriers"), (manifest.groupCount, "group", "groups"),
      ]
    )
  }

  /// Plans `count` independent operations.
  package init(independent count: Int, by ranks: [Int64]? = nil) {
    sequence = Self.ranked((0..<count).map { UInt32($0) }, by: ranks)
    levels = [UInt32](repeating: 0, count: count)
    verdict = Self.verdict(
      operations: count,
      dependencies: 0,
      levels: count > 0 ? 1 : 0,
      widest: count
    )
  }

  /// Number of operations.
  package var count: Int { sequence.count }

  /// The operation at a place of the dispatch order.
  package func operation(at place: Int) -> Int { Int(sequence[place]) }

  /// Appends `LEVEL<TAB>ID<TAB>COMMAND` for the operation at that place, and a fourth column
  /// where there are details; levels count from 1.
  package func append(
    place: Int,
    id: [UInt8],
    label: String,
    details: String = "",
    to text: inout [UInt8]
  ) {
    text.append(contentsOf: String(levels[operation(at: place)] + 1).utf8)
    text.append(UInt8(ascii: "\t"))
    text.append(contentsOf: Printable.text(id).utf8)
    text.append(UInt8(ascii: "\t"))
    text.append(contentsOf: label.utf8)
    if !details.isEmpty { text.append(contentsOf: ("\t" + details).utf8) }
    text.append(UInt8(ascii: "\n"))
  }

  /// Sorts each level by priority; a level of one priority needs no sort.
  private static func sequence(
    _ order: DependencyOrder,
    by ranks: [Int64]?,
    _ priority: (Int) -> PoolQueuePriority
  ) -> [UInt32] {
    var sequence: [UInt32] = []
    sequence.reserveCapacity(order.order.count)
    var start = 0
    while start < order.order.count {
      let level = order.levels[Int(order.order[start])]
      var buckets = PoolQueuePriority.allCases.map { _ in [UInt32]() }
      while start < order.order.count, order.levels[Int(order.order[start])] == level {
        buckets[priority(Int(order.order[start])).level].append(order.order[start])
        start += 1
      }
      for bucket in buckets { sequence.append(contentsOf: ranked(bucket, by: ranks)) }
    }
    return sequence
  }

  private static func ranked(_ operations: [UInt32], by ranks: [Int64]?) -> [UInt32] {
    PoolSchedulingPolicy.sorted(
      operations,
      by: ranks.map { ranks in operations.map { ranks[Int($0)] } }
    )
  }

  private static func verdict(
    operations: Int,
    dependencies: Int,
    levels: Int,
    widest: Int,
    extras: [(count: Int, one: String, many: String)] = []
  ) -> String {
    var parts = [
      counted(operations, "operation", "operations"),
      counted(dependencies, "dependency", "dependencies"),
      counted(levels, "level", "levels"),
      "widest \(widest)",
    ]
    for extra in extras where extra.count > 0 {
      parts.append(counted(extra.count, extra.one, extra.many))
    }
    return "opool: " + parts.joined(separator: ", ")
  }

  private static func counted(_ count: Int, _ one: String, _ many: String) -> String {
    "\(count) \(count == 1 ? one : many)"
  }
}
