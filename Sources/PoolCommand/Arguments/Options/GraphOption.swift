import PoolInputs
import PoolReports

/// The options for the picture of a plan.
enum GraphOption: CaseIterable {
  case format
  case center
  case history

  var row: OptionRow {
    switch self {
    case .format:
      OptionRow(
        "--graph FORMAT",
        in: .run,
        """
        execute nothing, and print which operations wait for which: dot (for Graphviz), mermaid \
        (for pages of Markdown) or json. Of more than \(PlanGraph.limit) operations, those of a \
        group are one node, and so are, if they are many, those without a group on a level of the \
        plan
        """
      )
    case .center:
      OptionRow(
        "--around ID",
        in: .run,
        """
        print of the graph only what the operation (or group) ID waits for and what waits for it: \
        in both directions as many steps as lead to at most \(PlanGraph.limit) operations, and at \
        least one
        """
      )
    case .history:
      OptionRow(
        "--from FILE",
        in: .run,
        """
        color the graph by what became of the operations, found by their ids, in the last run in \
        FILE: a journal, or the lines of --events
        """
      )
    }
  }
}

extension SharedOptions {
  /// Stores the value of an option.
  mutating func set(_ option: GraphOption, to value: OptionValue) throws(UsageError) {
    switch option {
    case .format: graph.format = try value.graphFormat()
    case .center: graph.center = try value.identifier()
    case .history: graph.history = try value.path()
    }
  }
}

extension OptionValue {
  /// The language of a graph.
  fileprivate func graphFormat() throws(UsageError) -> GraphFormat {
    guard let format = GraphFormat(rawValue: String(decoding: bytes, as: UTF8.self)) else {
      let names = GraphFormat.allCases.map(\.rawValue).joined(separator: ", ")
      throw failure("\(option.spelling) needs one of \(names)")
    }
    return format
  }
}
