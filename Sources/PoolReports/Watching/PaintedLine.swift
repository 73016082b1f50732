import PoolText

/// One line for a terminal, in parts with colours.
struct PaintedLine: Hashable, Sendable {
  /// How a part looks.
  enum Paint: Sendable {
    case plain, bold, dim, good, warning, bad

    /// The code of the colour (ECMA-48, Select Graphic Rendition); nil for none.
    fileprivate var code: String? {
      switch self {
      case .plain: nil
      case .bold: "1"
      case .dim: "2"
      case .good: "32"
      case .warning: "33"
      case .bad: "31"
      }
    }
  }

  private struct Part: Hashable, Sendable {
    var text: String
    var paint: Paint
  }

  private var parts: [Part] = []
  /// Its columns.
  private(set) var width = 0

  /// A line without parts.
  init() {}

  /// A line of one part, in at most that many columns.
  init(_ text: String, _ paint: Paint = .plain, columns: Int) {
    append(DisplayWidth.truncate(text, to: max(columns, 0)), paint)
  }

  /// Adds a part; the text is safe for a terminal.
  mutating func append(_ text: String, _ paint: Paint = .plain) {
    guard !text.isEmpty else { return }
    parts.append(Part(text: text, paint: paint))
    width += DisplayWidth.of(text)
  }

  /// The line as text, with escape sequences where it may have colours.
  func text(hasColors: Bool) -> String {
    parts.map { part in
      guard hasColors, let code = part.paint.code else { return part.text }
      return "\u{1B}[\(code)m\(part.text)\u{1B}[m"
    }.joined()
  }
}
