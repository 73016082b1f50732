import PoolInputs
import PoolModel
import PoolWire

extension PlanGraph {
  /// The picture as one line of JSON.
  func json(_ states: PlanStates?) -> [UInt8] {
    JSONReport.line("graph") { writer in
      writer.field("operations", nodes.reduce(0) { $0 + $1.operations.count })
      writer.optional("steps", neighbourhood?.steps) { $0.integer($1) }
      writer.field("farther", neighbourhood?.fartherCount ?? 0)
      writer.optional("center", centerNode) { $0.string("n\($1)") }
      writer.key("nodes")
      writer.objects(Array(nodes.enumerated())) { writer, item in
        append(item.element, item.offset, states, to: &writer)
      }
      writer.key("edges")
      writer.objects(edges) { writer, item in
        writer.key("from")
        writer.string("n\(item.edge.from)")
        writer.key("to")
        writer.string("n\(item.edge.to)")
        writer.field("when", item.edge.meaning.name)
        writer.field("count", item.count)
      }
    }
  }

  private func append(
    _ node: Node,
    _ index: Int,
    _ states: PlanStates?,
    to writer: inout JSONWriter
  ) {
    writer.key("node")
    writer.string("n\(index)")
    switch node.content {
    case .operation(let operation):
      writer.field("of", "operation")
      writer.key("id")
      writer.string(workload.id(of: operation))
      writer.nullField("levels")
      writer.optional("command", workload.command(of: operation)) { $0.byteText($1) }
      writer.key("barrier")
      writer.bool(workload.isBarrier(operation))
    case .group(let group):
      writer.field("of", "group")
      writer.key("id")
      writer.string(workload.groupName(group))
      writer.nullField("levels")
      appendNoOperation(to: &writer)
    case .levels(let levels):
      writer.field("of", "levels")
      writer.nullField("id")
      writer.key("levels")
      writer.array([levels.lowerBound, levels.upperBound]) { $0.integer($1) }
      appendNoOperation(to: &writer)
    }
    writer.field("count", node.operations.count)
    writer.optional("states", states?.counts(of: node.operations)) { writer, counts in
      writer.beginObject()
      for (state, count) in counts { writer.field(state.name, count) }
      writer.endObject()
    }
  }

  private func appendNoOperation(to writer: inout JSONWriter) {
    writer.nullField("command")
    writer.key("barrier")
    writer.bool(false)
  }
}
