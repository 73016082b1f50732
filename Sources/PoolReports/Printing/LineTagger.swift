/// Puts a tag before each line of a text that comes in pieces.
struct LineTagger {
  /// What a line begins with; empty for nothing.
  private let tag: [UInt8]
  private var isAtStart: Bool

  /// Makes a text whose lines begin with these bytes; it may go on with a line.
  init(tag: [UInt8], isAtStart: Bool = true) {
    self.tag = tag
    self.isAtStart = isAtStart
  }

  /// Returns the next piece with tags; a line begins after a line feed, and at the start.
  mutating func tagged(_ piece: UnsafeRawBufferPointer) -> [UInt8] {
    guard !tag.isEmpty else { return Array(piece) }
    var text: [UInt8] = []
    text.reserveCapacity(piece.count + tag.count * 4)
    var rest = piece[...]
    while !rest.isEmpty {
      if isAtStart { text += tag }
      let end = rest.firstIndex(of: UInt8(ascii: "\n"))
      isAtStart = end != nil
      let line = rest[..<(end.map { $0 + 1 } ?? rest.endIndex)]
      text += line
      rest = rest[line.endIndex...]
    }
    return text
  }
}
