/// The languages in which a plan's picture is printed.
package enum GraphFormat: String, CaseIterable, Sendable {
  /// For Graphviz.
  case dot
  /// For pages of Markdown.
  case mermaid
  /// For other programs.
  case json
}

extension PlanGraph {
  /// The text of the picture; colors say what became of the operations in a run.
  package func text(as format: GraphFormat, _ states: PlanStates?) -> [UInt8] {
    switch format {
    case .dot: DotText.text(of: self, states)
    case .mermaid: MermaidText.text(of: self, states)
    case .json: json(states)
    }
  }
}
