/// What each line of an operation's output begins with, before a tab.
package struct LineTag: Hashable, Sendable {
  private enum Piece: Hashable {
    case text([UInt8])
    case placeholder(Placeholder)
  }

  private var pieces: [Piece]

  /// The input: its fields, joined by a blank.
  package static let input = Self(pieces: [.placeholder(.input)])

  /// A text without placeholders, in which `\t`, `\n`, `\r` and `\0` are the bytes that they name,
  /// as in GNU parallel.
  package static func literal(_ text: [UInt8]) -> Self { Self(pieces: [.text(unescaped(text))]) }

  private static func unescaped(_ text: [UInt8]) -> [UInt8] {
    let named: [UInt8: UInt8] = [
      UInt8(ascii: "t"): UInt8(ascii: "\t"), UInt8(ascii: "n"): UInt8(ascii: "\n"),
      UInt8(ascii: "r"): UInt8(ascii: "\r"), UInt8(ascii: "0"): 0,
    ]
    var bytes: [UInt8] = []
    for byte in text {
      if let meaning = named[byte], bytes.last == UInt8(ascii: "\\") {
        bytes[bytes.count - 1] = meaning
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }

  /// The same with the placeholders in its text, for inputs of this layout.
  package func withPlaceholders(_ fields: FieldLayout) throws(UsageError) -> Self {
    guard case .text(let text) = pieces.first else { return self }
    try TemplateParser(fields, shell: nil).check(text)
    let placeholders = PlaceholderParser(fields)
    var pieces: [Piece] = []
    var plain: [UInt8] = []
    var index = 0
    while index < text.count {
      guard let match = placeholders.match(text[index...]) else {
        plain.append(text[index])
        index += 1
        continue
      }
      if match.placeholder.subject == .slot { throw Self.unknownSlot }
      pieces += [.text(plain), .placeholder(match.placeholder)]
      plain = []
      index += match.count
    }
    return Self(pieces: pieces + [.text(plain)])
  }

  /// The tag of an input, without the tab.
  package func bytes(_ input: TemplateInput) -> [UInt8] {
    var bytes: [UInt8] = []
    for piece in pieces {
      switch piece {
      case .text(let text): bytes += text
      case .placeholder(let placeholder):
        bytes += placeholder.values(input).joined(separator: [UInt8(ascii: " ")])
      }
    }
    return bytes
  }

  private static var unknownSlot: UsageError {
    UsageError(
      "--tagstring cannot have {%}: only the worker knows the slot",
      hint: "write {#} for the number of the input",
      topic: .map
    )
  }
}
