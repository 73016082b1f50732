import PoolAnalysis
import PoolModel

/// Which groups wait for which.
enum GraphSection {
  static func append(_ facts: PageFacts, to writer: inout PageWriter) {
    let graph = GroupGraph(facts, limit: groupLimit)
    writer.section("graph", "Graph by group") { writer in
      guard !graph.edges.isEmpty else {
        return writer.element("p class=\"note\"", "No group waits for another one.")
      }
      writer.markup("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Graph\">")
      writer.markup(
        "<svg class=\"graph\" role=\"img\" aria-label=\"Groups and what they wait for\""
      )
      writer.attribute("width", Double((graph.columnCount - 1) * columnWidth + nodeWidth))
      writer.attribute("height", Double(graph.rowCount * rowHeight + 12))
      writer.markup(">")
      for edge in graph.edges { append(edge, graph, to: &writer) }
      for node in graph.nodes { append(node, to: &writer) }
      writer.markup("</svg></div>")
      appendNote(graph, to: &writer)
    }
  }

  private static func appendNote(_ graph: GroupGraph, to writer: inout PageWriter) {
    let note =
      "Each group stands to the right of what it waits for, unless groups wait for each other."
    let rest = graph.hiddenCount
    writer.element(
      "p class=\"note\"",
      rest > 0 ? "\(note) \(rest) more groups took less time." : note
    )
  }

  private static func append(
    _ edge: (from: Int, to: Int),
    _ graph: GroupGraph,
    to writer: inout PageWriter
  ) {
    let (from, to) = (graph.nodes[edge.from], graph.nodes[edge.to])
    let (start, end) = (
      Double(from.column * columnWidth + nodeWidth), Double(to.column * columnWidth)
    )
    // What leads past other groups of the same row passes below them.
    let isLong = to.column - from.column > 1 && from.row == to.row
    let bend = isLong ? Double(nodeHeight) * 0.75 : 0
    let (startY, endY) = (middle(of: from), middle(of: to))
    writer.markup("<path class=\"edge\" d=\"")
    writer.point("M", start, startY)
    writer.point("C", start + 16, startY + bend * 1.3)
    writer.point(" ", end - 16, endY + bend * 1.3)
    writer.point(" ", end, endY)
    writer.markup("\"/>")
  }

  private static func middle(of node: GroupGraph.Node) -> Double {
    Double(node.row * rowHeight + nodeHeight / 2 + 4)
  }

  private static func append(_ node: GroupGraph.Node, to writer: inout PageWriter) {
    let (x, y) = (Double(node.column * columnWidth), Double(node.row * rowHeight + 4))
    writer.markup("<g><title>")
    writer.text(node.name, limit: 120)
    writer.markup(
      node.failureCount > 0 ? "</title><rect class=\"node bad\"" : "</title><rect class=\"node\""
    )
    writer.attribute("x", x + 1)
    writer.attribute("y", y)
    writer.attribute("width", Double(nodeWidth - 2))
    writer.attribute("height", Double(nodeHeight))
    writer.markup(" rx=\"5\"/>")
    line(node.name, x + 8, y + 17, "name", to: &writer)
    let time = ReportWording.duration(node.executionTime)
    line(Array("\(node.count) · \(time)".utf8), x + 8, y + 33, "size", to: &writer)
    writer.markup("</g>")
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
    writer.text(text, limit: nameLimit)
    writer.markup("</text>")
  }

  private static let (nodeWidth, nodeHeight) = (112, 42)
  private static let (columnWidth, rowHeight) = (132, 60)
  private static let (groupLimit, nameLimit) = (40, 15)
}

extension PageWriter {
  /// Appends a command of a path, or a separator, and a point.
  fileprivate mutating func point(_ command: StaticString, _ x: Double, _ y: Double) {
    markup(command)
    coordinate(x)
    markup(" ")
    coordinate(y)
  }
}
