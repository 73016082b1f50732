/// The text in the terminal's last line, if it did not end in a line feed.
package struct PartialLine {
  private var bytes: [UInt8] = []
  /// Whether the text was longer than `limit`.
  private var isCut = false

  package init() {}

  /// Maximum number of stored bytes; ``add(_:)`` needs only this many of the end of a text.
  package static let limit = 4_096

  /// Whether the cursor is probably in the first column.
  package var isEmpty: Bool { bytes.isEmpty && !isCut }

  /// Notes output, or its last ``limit`` bytes.
  package mutating func add(_ text: UnsafeRawBufferPointer) {
    var rest = text
    if let end = text.lastIndex(of: UInt8(ascii: "\n")) {
      bytes.removeAll(keepingCapacity: true)
      isCut = false
      rest = UnsafeRawBufferPointer(rebasing: text[(end + 1)...])
    }
    if bytes.count + rest.count > Self.limit { isCut = true }
    if !isCut { bytes.append(contentsOf: rest) }
  }

  /// Whether the cursor is certainly behind the text.
  ///
  /// After a character in the last column, the cursor is still on it: terminals wrap only with the
  /// next character.
  package func isBehindText(columns: Int) -> Bool {
    guard !isCut, let (width, isNarrow) = measure else { return false }
    return width < columns || isNarrow && width % columns != 0
  }

  /// The columns of the text, and whether each character takes one; nil if the text may move the
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

  /// Skips the rest of a colour escape sequence; returns false for other sequences.
  private static func skipColor(_ text: inout Substring.UnicodeScalarView) -> Bool {
    guard text.popFirst() == "[" else { return false }
    while let scalar = text.popFirst() {
      if scalar == "m" { return true }
      guard ("0"..."9").contains(scalar) || scalar == ";" || scalar == ":" else { return false }
    }
    return false
  }
}
