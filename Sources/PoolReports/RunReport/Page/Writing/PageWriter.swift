/// Appends HTML to one growing buffer.
///
/// What is known at compile time is markup; whatever else is appended becomes text.
struct PageWriter {
  private(set) var bytes: [UInt8] = []

  /// Appends markup.
  mutating func markup(_ markup: StaticString) {
    bytes += UnsafeBufferPointer(start: markup.utf8Start, count: markup.utf8CodeUnitCount)
  }

  /// Appends bytes that are markup already, such as a script.
  mutating func raw(_ bytes: [UInt8]) { self.bytes += bytes }

  /// Appends text, or the value of an attribute in double quotes.
  mutating func text(_ text: String) { escape(VisibleText.of(Array(text.utf8))) }

  /// Appends a text from outside; at most about that many bytes of it.
  mutating func text(_ text: [UInt8], limit: Int = 400) {
    escape(VisibleText.of(text, limit: limit))
  }

  mutating func text(_ number: some BinaryInteger) { bytes += String(number).utf8 }

  /// Appends a coordinate with one decimal.
  mutating func coordinate(_ value: Double) {
    let tenths = Int((value * 10).rounded())
    if tenths < 0 { bytes.append(UInt8(ascii: "-")) }
    text(abs(tenths) / 10)
    if tenths % 10 != 0 {
      bytes.append(UInt8(ascii: "."))
      text(abs(tenths) % 10)
    }
  }

  /// Appends an attribute with a coordinate.
  mutating func attribute(_ name: StaticString, _ value: Double) {
    markup(" ")
    markup(name)
    markup("=\"")
    coordinate(value)
    markup("\"")
  }

  /// Appends an element with text.
  mutating func element(_ name: StaticString, _ text: String) {
    element(name) { $0.text(text) }
  }

  /// Appends an element; the name may have attributes behind it.
  mutating func element(_ name: StaticString, _ content: (inout PageWriter) -> Void) {
    markup("<")
    markup(name)
    markup(">")
    content(&self)
    markup("</")
    name.withUTF8Buffer { bytes += $0.prefix { $0 != UInt8(ascii: " ") } }
    markup(">")
  }

  /// Appends a section with its heading.
  mutating func section(
    _ identifier: StaticString,
    _ title: String,
    _ content: (inout PageWriter) -> Void
  ) {
    markup("<section id=\"")
    markup(identifier)
    markup("\" aria-labelledby=\"h-")
    markup(identifier)
    markup("\"><h2 id=\"h-")
    markup(identifier)
    markup("\">")
    text(title)
    markup("</h2>")
    content(&self)
    markup("</section>\n")
  }

  /// Appends a table with a heading for each column; those of numbers begin with `#`.
  mutating func table(
    _ name: StaticString,
    _ columns: [String],
    _ rows: (inout PageWriter) -> Void
  ) {
    markup("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"")
    markup(name)
    markup("\"><table><thead><tr>")
    for column in columns {
      let isNumber = column.hasPrefix("#")
      markup(isNumber ? "<th class=\"n\" scope=\"col\">" : "<th scope=\"col\">")
      text(isNumber ? String(column.dropFirst()) : column)
      markup("</th>")
    }
    markup("</tr></thead><tbody>")
    rows(&self)
    markup("</tbody></table></div>")
  }

  /// Appends a cell with a number or a time, which is aligned at its end.
  mutating func number(_ text: String) { element("td class=\"n\"", text) }

  /// Appends the name of an operation, which shows it in the timeline.
  mutating func link(toOperation place: Int, _ id: [UInt8]) {
    markup("<a href=\"#op=")
    text(place)
    markup("\">")
    text(id, limit: 160)
    markup("</a>")
  }

  private mutating func escape(_ text: [UInt8]) {
    for byte in text {
      switch byte {
      case UInt8(ascii: "<"): markup("&lt;")
      case UInt8(ascii: ">"): markup("&gt;")
      case UInt8(ascii: "&"): markup("&amp;")
      case UInt8(ascii: "\""): markup("&quot;")
      case UInt8(ascii: "'"): markup("&#39;")
      default: bytes.append(byte)
      }
    }
  }
}
