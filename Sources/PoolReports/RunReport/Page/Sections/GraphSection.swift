import PoolAnalysis
import PoolModel

/// Which groups wait for which.
enum GraphSection {
  static func append(_ facts: PageFacts, to writer: inout PageWriter) {
    let graph = GroupGraph(facts, limit: nodeLimit)
    writer.section("graph", "Graph by group") { writer in
      guard !graph.edges.isEmpty else {
        return writer.element("p class=\"note\"", "No group waits for another one.")
      }
      writer.markup("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Graph\">")
      writer.markup(
        "<svg class=\"graph\" role=\"img\" aria-label=\"Groups and what they wait for\""
      )
      let (width, height) = (graph.columnCount * columnWidth, graph.rowCount * rowHeight)
      writer.attribute("width", Double(width))
      writer.attribute("height", Double(height))
      writer.markup(">")
      for edge in graph.edges { append(edge, graph, to: &writer) }
      for node in graph.nodes { append(node, facts, to: &writer) }
      writer.markup("</svg></div>")
      let note = "Each group stands to the right of what it waits for."
      let rest = facts.analysis.groups.count - graph.nodes.count
      writer.element(
        "p class=\"note\"",
        rest > 0 ? "\(note) \(rest) more groups took less time." : note
      )
    }
  }

  private static func append(
    _ edge: (from: Int, to: Int),
    _ graph: GroupGraph,
    to writer: inout PageWriter
  ) {
    let (from, to) = (graph.nodes[edge.from], graph.nodes[edge.to])
    let startX = Double(from.column * columnWidth + nodeWidth)
    let startY = Double(from.row * rowHeight + nodeHeight / 2 + 4)
    let (endX, endY) = (
      Double(to.column * columnWidth), Double(to.row * rowHeight + nodeHeight / 2 + 4)
    )
    writer.markup("<path class=\"edge\" d=\"M")
    for (index, value) in [startX, startY, startX + 14, startY, endX - 14, endY, endX, endY]
      .enumerated()
    {
      if index == 2 { writer.markup("C") } else if index > 0 { writer.markup(" ") }
      writer.coordinate(value)
    }
    writer.markup("\"/>")
  }

  private static func append(
    _ node: GroupGraph.Node,
    _ facts: PageFacts,
    to writer: inout PageWriter
  ) {
    let summary = facts.analysis.groups[node.group]
    let (x, y) = (Double(node.column * columnWidth), Double(node.row * rowHeight + 4))
    writer.markup(summary.failureCount > 0 ? "<rect class=\"node bad\"" : "<rect class=\"node\"")
    writer.attribute("x", x + 1)
    writer.attribute("y", y)
    writer.attribute("width", Double(nodeWidth - 2))
    writer.attribute("height", Double(nodeHeight))
    writer.markup(" rx=\"5\"/>")
    let name = shortened(facts.name(ofGroup: node.group))
    line(name, x + 10, y + 17, "name", to: &writer)
    let time = ReportWording.duration(summary.executionTime)
    let failed = summary.failureCount > 0 ? ", \(summary.failureCount) not ok" : ""
    line(
      Array("\(summary.members.count) in \(time)\(failed)".utf8),
      x + 10,
      y + 33,
      "size",
      to: &writer
    )
  }

  private static func line(
    _ text: [UInt8],
    _ x: Double,
    _ y: Double,
    _ style: StaticString,
    to writer: inout PageWriter
  ) {
    writer.markup("<text class=\"")
    writer.markup(style)
    writer.markup("\"")
    writer.attribute("x", x)
    writer.attribute("y", y)
    writer.markup(">")
    writer.text(text)
    writer.markup("</text>")
  }

  private static func shortened(_ name: [UInt8]) -> [UInt8] { VisibleText.of(name, limit: 18) }

  private static let (nodeWidth, nodeHeight) = (160, 42)
  private static let (columnWidth, rowHeight) = (200, 56)
  private static let nodeLimit = 40
}
