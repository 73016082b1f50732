import PoolInputs
import PoolModel
import PoolText

extension PlanGraph {
  /// The lines in a node: UTF-8 without control characters, and not escaped for a language.
  func lines(of node: Node, _ states: PlanStates?) -> [[UInt8]] {
    var lines = [name(of: node)]
    switch node.content {
    case .operation(let operation):
      if workload.givenID(of: operation) == nil {
        lines.append(GraphLabel.cut(Array(workload.actionText(of: operation).utf8)))
      }
      if workload.isBarrier(operation) { lines.append(Array("barrier".utf8)) }
    case .group, .levels:
      let count = node.operations.count
      lines.append(Array((count > 0 ? Plural.of(count, "operation") : "the whole group").utf8))
    }
    guard let states, !node.operations.isEmpty else { return lines }
    let counts = states.counts(of: node.operations)
    let words = counts.map {
      node.operations.count > 1 ? "\($0.count) \($0.state.words)" : $0.state.words
    }
    return lines + [Array(words.joined(separator: ", ").utf8)]
  }

  private func name(of node: Node) -> [UInt8] {
    switch node.content {
    case .operation(let operation): GraphLabel.cut(workload.id(of: operation))
    case .group(let group): GraphLabel.cut(workload.groupName(group))
    case .levels(let levels):
      Array(
        (levels.count == 1
          ? "level \(levels.lowerBound)" : "levels \(levels.lowerBound)–\(levels.upperBound)").utf8
      )
    }
  }

  /// What stands beside an arrow; nil for one usual dependency.
  func label(of edge: Edge, count: Int) -> String? {
    let words: String? =
      switch edge.meaning {
      case .succeeded, .member: nil
      case .finished: "when finished"
      case .failed: "when failed"
      case .cancelled: "when cancelled"
      case .barrier: "barrier"
      }
    let parts = [count > 1 ? "×\(count)" : nil, words].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }
}

/// Texts from outside in a picture.
enum GraphLabel {
  /// A text in one line; a long one without its middle, since many differ only at their ends.
  static func cut(_ text: [UInt8]) -> [UInt8] {
    guard text.count > limit else {
      return text.isEmpty ? Array("(no name)".utf8) : VisibleText.of(text)
    }
    let end = text[(text.count - limit / 2)...].firstIndex { $0 & 0b1100_0000 != 0b1000_0000 }
    return VisibleText.of(text, limit: limit / 2)
      + VisibleText.of(Array(text[(end ?? text.count)...]))
  }

  /// Bytes of a text above which its middle is left out.
  private static let limit = 64
}

extension PlanState {
  /// The color behind what is in this state: light, so that dark text can be read on it.
  var color: String {
    switch self {
    case .succeeded: "#c9e9cf"
    case .failed, .timedOut, .lost: "#f6b0ab"
    case .executing: "#ffe9a3"
    case .cancelled, .skipped: "#d6d6d6"
    case .never: "#ffffff"
    }
  }
}
