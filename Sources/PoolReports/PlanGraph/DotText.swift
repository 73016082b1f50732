import PoolInputs

/// A plan's picture for Graphviz.
enum DotText {
  static func text(of picture: PlanGraph, _ states: PlanStates?) -> [UInt8] {
    var text = Array(
      """
      digraph "opool plan" {
        rankdir=LR;
        node [shape=box, style="rounded,filled", fillcolor="#ffffff", color="#555555", \
      fontname="Helvetica,Arial,sans-serif", fontcolor="#111111"];
        edge [color="#555555", fontname="Helvetica,Arial,sans-serif", fontsize=11];

      """.utf8
    )
    for (index, node) in picture.nodes.enumerated() {
      append(node, index, of: picture, states, to: &text)
    }
    for (edge, count) in picture.edges { append(edge, count, of: picture, to: &text) }
    text += "}\n".utf8
    return text
  }

  private static func append(
    _ node: PlanGraph.Node,
    _ index: Int,
    of picture: PlanGraph,
    _ states: PlanStates?,
    to text: inout [UInt8]
  ) {
    text += "  n\(index) [label=\"".utf8
    for (number, line) in picture.lines(of: node, states).enumerated() {
      if number > 0 { text += #"\n"#.utf8 }
      appendEscaped(line, to: &text)
    }
    text += "\"".utf8
    text += look(of: node, picture, states).map { ", \($0)" }.joined().utf8
    if index == picture.centerNode { text += ", penwidth=3".utf8 }
    text += "];\n".utf8
  }

  /// Shape and colors.
  private static func look(
    of node: PlanGraph.Node,
    _ picture: PlanGraph,
    _ states: PlanStates?
  ) -> [String] {
    let shape: String?
    switch node.content {
    case .operation(let operation): shape = picture.workload.isBarrier(operation) ? "octagon" : nil
    case .group: shape = node.operations.isEmpty ? "oval" : "folder"
    case .levels: shape = "box3d"
    }
    let counts = states?.counts(of: node.operations) ?? []
    var look = shape.map { ["shape=\($0)", "style=filled"] } ?? []
    guard let first = counts.first else { return look }
    look.append("fillcolor=\"\(first.state.color)\"")
    guard Set(counts.map(\.state.color)).count > 1 else { return look }
    // Stripes have the shares of their states, and boxes alone have stripes.
    let total = Double(node.operations.count)
    let stripes = counts.dropLast().map { "\($0.state.color);\(share($0.count, of: total))" }
    let colors = (stripes + [counts[counts.count - 1].state.color]).joined(separator: ":")
    return ["shape=box", "style=striped", "fillcolor=\"\(colors)\""]
  }

  /// A share with three decimals, never the whole.
  private static func share(_ count: Int, of total: Double) -> String {
    let thousandths = min(max(Int(Double(count) / total * 1_000), 1), 990)
    return "0.\(String(thousandths + 1_000).dropFirst())"
  }

  private static func append(
    _ edge: PlanGraph.Edge,
    _ count: Int,
    of picture: PlanGraph,
    to text: inout [UInt8]
  ) {
    text += "  n\(edge.from) -> n\(edge.to)".utf8
    var look: [String] = []
    if let label = picture.label(of: edge, count: count) { look.append("label=\"\(label)\"") }
    switch edge.meaning {
    case .succeeded: break
    case .finished, .cancelled: look.append("style=dashed")
    case .failed: look += ["style=dashed", "color=\"#b3261e\""]
    case .member: look += ["style=dotted", "arrowhead=none"]
    case .barrier: look.append("style=dotted")
    }
    if !look.isEmpty { text += " [\(look.joined(separator: ", "))]".utf8 }
    text += ";\n".utf8
  }

  /// Appends a text between quotes: Graphviz reads escapes and names of characters in it.
  static func appendEscaped(_ line: [UInt8], to text: inout [UInt8]) {
    for byte in line {
      switch byte {
      case UInt8(ascii: "\""): text += #"\""#.utf8
      case UInt8(ascii: "\\"): text += #"\\"#.utf8
      case UInt8(ascii: "&"): text += "&amp;".utf8
      default: text.append(byte)
      }
    }
  }
}
