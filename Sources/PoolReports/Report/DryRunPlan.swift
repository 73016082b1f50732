import PoolCore
import PoolEvents
package import PoolInputs
import PoolModel
import PoolWire

/// The plan that `--dry-run` prints.
///
/// Its order is the order of dispatch if there are enough workers and all operations take the same
/// time: by level, then priority, then rank (if any), then submission. Categories and limits are
/// ignored.
package struct DryRunPlan: Sendable {
  /// The operations in the order of dispatch, and their levels; both from 0.
  private let sequence: [UInt32]
  private let levels: [UInt32]
  /// What is counted.
  package let summary: PlanSummary

  /// Plans the operations of a manifest; ranks order those of one priority.
  package init(_ manifest: Manifest, by ranks: [Int64]? = nil) {
    let order = manifest.order
    levels = order.levels
    sequence = Self.sequence(order, by: ranks) { manifest.priority(of: $0) }
    summary = PlanSummary(
      operations: manifest.count,
      dependencies: manifest.dependencies.targets.count,
      levels: order.levelCount,
      widest: order.widest,
      barriers: manifest.barrierCount,
      groups: manifest.groupCount
    )
  }

  /// Plans `count` independent operations.
  package init(independent count: Int, by ranks: [Int64]? = nil) {
    sequence = Self.ranked((0..<count).map { UInt32($0) }, by: ranks)
    levels = [UInt32](repeating: 0, count: count)
    summary = PlanSummary(
      operations: count,
      dependencies: 0,
      levels: count > 0 ? 1 : 0,
      widest: count
    )
  }

  /// Number of operations.
  package var count: Int { sequence.count }

  /// The operation at a position of the dispatch order.
  package func operation(at position: Int) -> Int { Int(sequence[position]) }

  /// Appends `LEVEL<TAB>ID<TAB>COMMAND` for the operation at this position, and a fourth column if
  /// there are details; levels count from 1.
  package func append(
    position: Int,
    id: [UInt8],
    label: String,
    details: String = "",
    to text: inout [UInt8]
  ) {
    text.append(contentsOf: String(levels[operation(at: position)] + 1).utf8)
    text.append(UInt8(ascii: "\t"))
    text.append(contentsOf: Printable.text(id).utf8)
    text.append(UInt8(ascii: "\t"))
    text.append(contentsOf: label.utf8)
    if !details.isEmpty { text.append(contentsOf: ("\t" + details).utf8) }
    text.append(UInt8(ascii: "\n"))
  }

  /// Appends the line of the operation at that position as a report.
  package func appendJSON(position: Int, of workload: any Workload, to text: inout [UInt8]) {
    let operation = operation(at: position)
    text += JSONReport.line("operation") { writer in
      writer.field("level", Int(levels[operation]) + 1)
      writer.key("id")
      writer.string(workload.id(of: operation))
      writer.key("kind")
      writer.string(workload.kindName(of: operation))
      writer.optional("command", workload.command(of: operation)) { $0.byteText($1) }
      let details = workload.details(of: operation)
      writer.optional("details", details.isEmpty ? nil : details) { $0.string($1) }
    }
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
}
