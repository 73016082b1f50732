/// Two columns of a help: what something is called, and what it is, in lines shorter than 80 columns.
enum HelpColumns {
  private static let width = 79

  /// A row for each label, indented by two blanks, its text from the column on, counted from 0.
  static func lines(_ rows: [(label: String, text: String)], column: Int) -> String {
    rows.map { row in
      let lead = "  " + row.label
      let rest = String(repeating: " ", count: max(column - lead.count, 1))
      return wrapped(row.text, behind: lead + rest, indent: column)
    }
    .joined(separator: "\n")
  }

  /// The words of a text in lines, the first of them behind what stands there already.
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

extension Option {
  /// As the help spells it: a letter's place is left free where there is none.
  var label: String {
    let short = letter.map { "-\($0)" } ?? "  "
    let long = name.map { (letter == nil ? "  --" : ", --") + $0 } ?? ""
    return short + long + (valueName.map { " " + $0 } ?? "")
  }
}
