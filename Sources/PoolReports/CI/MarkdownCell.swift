/// Text from outside in a cell of a Markdown table, as GitHub renders it.
enum MarkdownCell {
  /// The text, of which nothing is markup: signs of ASCII become numbered characters, and what
  /// would end the line a space.
  static func text(_ text: String) -> String {
    var cell = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", " ": cell.unicodeScalars.append(scalar)
      case "\u{0}"..<"\u{20}", "\u{7F}"..<"\u{A0}", "\u{2028}", "\u{2029}": cell += " "
      case "!"..."~": cell += "&#\(scalar.value);"
      default: cell.unicodeScalars.append(scalar)
      }
    }
    return cell
  }

  /// The same as code, in which addresses and names of users do not become links.
  static func code(_ text: String) -> String {
    text.isEmpty ? "" : "<code>\(Self.text(text))</code>"
  }
}
