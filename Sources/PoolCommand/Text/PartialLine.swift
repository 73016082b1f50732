/// What stands in the terminal's last line, where it did not end in a line feed.
struct PartialLine {
  private var bytes: [UInt8] = []
  /// Whether there was more than is kept.
  private var isCut = false

  /// The most that is kept, and that ``add(_:)`` needs to see of the end of a text.
  static let limit = 4_096

  /// Whether the cursor is in the first column of a line, as far as is known.
  var isEmpty: Bool { bytes.isEmpty && !isCut }

  /// Takes in what was written next, or the last ``limit`` bytes of it.
  mutating func add(_ text: UnsafeRawBufferPointer) {
    var rest = text
    if let end = text.lastIndex(of: UInt8(ascii: "\n")) {
      bytes.removeAll(keepingCapacity: true)
      isCut = false
      rest = UnsafeRawBufferPointer(rebasing: text[(end + 1)...])
    }
    if bytes.count + rest.count > Self.limit { isCut = true }
    if !isCut { bytes.append(contentsOf: rest) }
  }

  /// Whether the cursor certainly stands behind the text, and not upon its last character.
  ///
  /// It stands upon it where that is in the last column: terminals go to the next line only with
  /// the character that follows.
  func isBehindText(columns: Int) -> Bool {
    guard !isCut, let (width, isNarrow) = measure else { return false }
    return width < columns || isNarrow && width % columns != 0
  }

  /// The columns of the text, and whether all its characters take one; nil where it may move the
  /// cursor.
  private var measure: (width: Int, isNarrow: Bool)? {
    var text = Substring(String(decoding: bytes, as: UTF8.self)).unicodeScalars
    var visible = ""
    while let scalar = text.popFirst() {
      switch scalar.value {
      case 0x1B: guard Self.skipColor(&text) else { return nil }
      case 0x20...0x7E, 0xA0...: visible.unicodeScalars.append(scalar)
      default: return nil
      }
    }
    let width = DisplayWidth.of(visible)
    return (width, width == visible.unicodeScalars.count)
  }

  /// Skips the rest of an escape sequence that only colours what follows; false where it is
  /// another.
  private static func skipColor(_ text: inout Substring.UnicodeScalarView) -> Bool {
    guard text.popFirst() == "[" else { return false }
    while let scalar = text.popFirst() {
      if scalar == "m" { return true }
      guard ("0"..."9").contains(scalar) || scalar == ";" || scalar == ":" else { return false }
    }
    return false
  }
}
