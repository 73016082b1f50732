import PoolInputs

/// A plan's picture as a flow chart of Mermaid, which pages of Markdown show.
enum MermaidText {
  static func text(of picture: PlanGraph, _ states: PlanStates?) -> [UInt8] {
    var text = Array("flowchart LR\n".utf8)
    for (index, node) in picture.nodes.enumerated() {
      let (open, close) = brackets(of: node, picture)
      text += "  n\(index)\(open)\"".utf8
      for (number, line) in picture.lines(of: node, states).enumerated() {
        // With the markup of a line break, Mermaid would read the texts as markup, too.
        if number > 0 { text += "\n".utf8 }
        appendEscaped(line, to: &text)
      }
      text += "\"\(close)\n".utf8
    }
    for (edge, count) in picture.edges {
      text += "  n\(edge.from) \(arrow(edge.meaning))".utf8
      if let label = picture.label(of: edge, count: count) { text += "|\"\(label)\"|".utf8 }
      text += " n\(edge.to)\n".utf8
    }
    appendColors(of: picture, states, to: &text)
    if let center = picture.centerNode { text += "  style n\(center) stroke-width:4px\n".utf8 }
    return text
  }

  private static func brackets(
    of node: PlanGraph.Node,
    _ picture: PlanGraph
  ) -> (open: String, close: String) {
    switch node.content {
    case .operation(let operation):
      picture.workload.isBarrier(operation) ? ("{{", "}}") : ("[", "]")
    case .group: node.operations.isEmpty ? ("(", ")") : ("[[", "]]")
    case .levels: ("([", "])")
    }
  }

  private static func arrow(_ meaning: PlanLinks.Meaning) -> String {
    switch meaning {
    case .succeeded: "-->"
    case .finished, .failed, .cancelled, .barrier: "-.->"
    case .member: "-.-"
    }
  }

  /// A class for each state; a node has that of its most urgent one.
  private static func appendColors(
    of picture: PlanGraph,
    _ states: PlanStates?,
    to text: inout [UInt8]
  ) {
    guard let states else { return }
    var members: [PlanState: [String]] = [:]
    for (index, node) in picture.nodes.enumerated() {
      guard let first = states.counts(of: node.operations).first else { continue }
      members[first.state, default: []].append("n\(index)")
    }
    for state in PlanState.allCases {
      guard let nodes = members[state] else { continue }
      text += "  classDef \(state.name) fill:\(state.color),stroke:#555555,color:#111111\n".utf8
      text += "  class \(nodes.joined(separator: ",")) \(state.name)\n".utf8
    }
  }

  /// Appends a text between quotes: letters, digits and blanks as they are, all other characters of
  /// ASCII as numbers, since Mermaid reads some as its own, as HTML or as Markdown.
  static func appendEscaped(_ line: [UInt8], to text: inout [UInt8]) {
    let scalars = Array(String(decoding: line, as: UTF8.self).unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      let isPlain =
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", " ": true
        // Between letters, these mean nothing.
        case "-", "_", "/": isLetter(scalars, index - 1) && isLetter(scalars, index + 1)
        default: !scalar.isASCII
        }
      if isPlain {
        text += UTF8.encode(scalar).map { Array($0) } ?? []
      } else {
        text += "#\(scalar.value);".utf8
      }
      // Mermaid marks such numbers by ﬂ° and ¶ß: a character without width parts them.
      if scalar == "\u{FB02}" || scalar == "\u{B6}" { text += "\u{2060}".utf8 }
    }
  }

  private static func isLetter(_ scalars: [Unicode.Scalar], _ index: Int) -> Bool {
    guard scalars.indices.contains(index) else { return false }
    return switch scalars[index] {
    case "a"..."z", "A"..."Z", "0"..."9": true
    default: false
    }
  }
}
