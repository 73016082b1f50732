/// Collects bytes and placeholders into pieces.
struct PieceBuilder {
  private var pieces: [TemplatePiece] = []
  private var text: [UInt8] = []

  /// Whether an input was appended.
  private(set) var hasInput = false

  mutating func append(_ byte: UInt8) {
    text.append(byte)
  }

  mutating func append(contentsOf bytes: some Sequence<UInt8>) {
    text.append(contentsOf: bytes)
  }

  /// Appends a placeholder of a line, in which the slot is a variable.
  mutating func append(inLine placeholder: Placeholder, _ quoting: ShellContext.Quoting) {
    if placeholder.subject == .slot { return append(contentsOf: quoting.slot.utf8) }
    append(placeholder, quoting)
  }

  mutating func append(_ placeholder: Placeholder, _ quoting: ShellContext.Quoting) {
    endText()
    hasInput = hasInput || placeholder.subject == .all
    pieces.append(.placeholder(placeholder, quoting))
  }

  mutating func append(contentsOf other: [TemplatePiece]) {
    endText()
    pieces += other
  }

  mutating func finish() -> [TemplatePiece] {
    endText()
    defer { (pieces, hasInput) = ([], false) }
    return pieces
  }

  private mutating func endText() {
    if !text.isEmpty { pieces.append(.text(text)) }
    text = []
  }
}
