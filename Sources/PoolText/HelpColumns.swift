/// Formats labels and descriptions in two columns, in lines shorter than 80 columns.
package enum HelpColumns {
  private static let width = 79

  /// One row per label: two blanks, the label, and the text from `column` (from 0).
  package static func lines(_ rows: [(label: String, text: String)], column: Int) -> String {
    rows.map { row in
      let lead = "  " + row.label
      let rest = String(repeating: " ", count: max(column - lead.count, 1))
      return wrapped(row.text, behind: lead + rest, indent: column)
    }
    .joined(separator: "\n")
  }

  /// Wraps a text into lines; the first one continues the row's label.
  private static func wrapped(_ text: String, behind lead: String, indent: Int) -> String {
    var lines: [String] = []
    var line = lead
    var isEmpty = true
    for word in text.split(separator: " ") {
      if !isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = String(repeating: " ", count: indent)
        isEmpty = true
      }
      line += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    return (lines + [line]).joined(separator: "\n")
  }
}
