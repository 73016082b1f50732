import PoolAnalysis
import PoolModel

/// Which groups wait for which.
enum GraphSection {
  static func append(_ facts: PageFacts, to writer: inout PageWriter) {
    let drawing = GroupGraph(facts, limit: groupLimit)
    writer.section("graph", "Graph by group") { writer in
      guard !drawing.edges.isEmpty else {
        return writer.element("p class=\"note\"", "No group waits for another one.")
      }
      writer.markup("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Graph\">")
      writer.markup(
        "<svg class=\"graph\" role=\"img\" aria-label=\"Groups and what they wait for\""
      )
      writer.attribute("width", Double((drawing.columnCount - 1) * columnWidth + nodeWidth))
      writer.attribute("height", Double(drawing.rowCount * rowHeight + 12))
      writer.markup(">")
      for edge in drawing.edges { append(edge, drawing, to: &writer) }
      for node in drawing.nodes { append(node, to: &writer) }
      writer.markup("</svg></div>")
      appendNote(drawing, to: &writer)
    }
  }

  private static func appendNote(_ drawing: GroupGraph, to writer: inout PageWriter) {
    let note =
      "Each group stands to the right of what it waits for, unless groups wait for each other."
    let rest = drawing.hiddenCount
    writer.element(
      "p class=\"note\"",
      rest > 0 ? "\(note) \(rest) more groups took less time." : note
    )
  }

  private static func append(
    _ edge: (from: Int, to: Int),
    _ drawing: GroupGraph,
    to writer: inout PageWriter
  ) {
    let (from, to) = (drawing.nodes[edge.from], drawing.nodes[edge.to])
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

  /// A picture of its own cuts names off at its edge.
  private static func append(_ node: GroupGraph.Node, to writer: inout PageWriter) {
    writer.markup("<svg")
    writer.attribute("x", Double(node.column * columnWidth))
    writer.attribute("y", Double(node.row * rowHeight + 4))
    writer.attribute("width", Double(nodeWidth))
    writer.attribute("height", Double(nodeHeight + 2))
    writer.markup("><title>")
    writer.text(node.name, limit: 120)
    writer.markup("</title><rect class=\"node")
    if node.failureCount > 0 { writer.markup(" bad") }
    writer.markup("\" x=\"1\" y=\"1\" rx=\"5\"")
    writer.attribute("width", Double(nodeWidth - 2))
    writer.attribute("height", Double(nodeHeight))
    writer.markup("/>")
    line(node.name, 8, 18, "name", to: &writer)
    let time = ReportWording.duration(node.executionTime)
    line(Array("\(node.count) · \(time)".utf8), 8, 34, "size", to: &writer)
    writer.markup("</svg>")
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
