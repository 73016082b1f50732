import PoolText

/// Rows of text in columns, each as wide as its widest cell.
package struct ColumnTable {
  package enum Alignment {
    case left, right
  }

  private let alignments: [Alignment]
  private var rows: [[String]] = []

  package init(_ alignments: [Alignment]) { self.alignments = alignments }

  package mutating func add(_ cells: String...) { rows.append(cells) }

  /// The rows as lines that begin with two blanks.
  package var lines: [String] {
    let widths = alignments.indices.map { column in
      rows.lazy.map { DisplayWidth.of($0[column]) }.max() ?? 0
    }
    return rows.map { row in
      let cells = row.indices.map { column in
        let padding = String(repeating: " ", count: widths[column] - DisplayWidth.of(row[column]))
        return alignments[column] == .left ? row[column] + padding : padding + row[column]
      }
      return "  " + Self.withoutEnd(cells.joined(separator: "  "))
    }
  }

  /// A line that counts the rows that a table leaves out; none if it has all.
  package static func rest(of count: Int, beyond limit: Int) -> [String] {
    count > limit ? ["  … and \(count - limit) more"] : []
  }

  /// The text without blanks at its end.
  private static func withoutEnd(_ text: String) -> Substring {
    text.lastIndex { $0 != " " }.map { text[...$0] } ?? ""
  }
}
