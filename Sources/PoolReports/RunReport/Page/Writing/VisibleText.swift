/// Texts from outside as a page shows them: one line, with all characters visible.
///
/// Identifiers and commands are bytes: what is not UTF-8, and characters that control something or
/// turn the direction of the text around, become `\xNN` or `\u{N}`. The result has no control
/// characters, so that a line feed can separate such texts.
enum VisibleText {
  /// Appends the text of some bytes; at most about that many, with `…` for the rest.
  static func append(_ text: [UInt8], limit: Int = .max, to result: inout [UInt8]) {
    let isCut = text.count > limit
    let end = isCut ? boundary(in: text, before: limit) : text.count
    // Nearly all texts are printable ASCII.
    if text[..<end].allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) {
      result += text[..<end]
    } else {
      appendScalars(of: text[..<end], to: &result)
    }
    if isCut { result += "…".utf8 }
  }

  /// The text of some bytes.
  static func of(_ text: [UInt8], limit: Int = .max) -> [UInt8] {
    var result: [UInt8] = []
    append(text, limit: limit, to: &result)
    return result
  }

  /// The largest offset up to the limit at which a character begins.
  private static func boundary(in text: [UInt8], before limit: Int) -> Int {
    var end = limit
    while end > 0, limit - end < 4, text[end] & 0b1100_0000 == 0b1000_0000 { end -= 1 }
    return end
  }

  private static func appendScalars(of text: ArraySlice<UInt8>, to result: inout [UInt8]) {
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = text.makeIterator()
    var position = text.startIndex
    while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let encoded):
        append(Unicode.UTF8.decode(encoded), encoded, to: &result)
        position += encoded.count
      case .error(let length):
        for byte in text[position..<position + length] { appendByte(byte, to: &result) }
        position += length
      case .emptyInput: return
      }
    }
  }

  private static func append(
    _ scalar: Unicode.Scalar,
    _ encoded: Unicode.UTF8.EncodedScalar,
    to result: inout [UInt8]
  ) {
    switch scalar.value {
    case 0x0A: result += #"\n"#.utf8
    case 0x0D: result += #"\r"#.utf8
    case 0x09: result += #"\t"#.utf8
    case 0..<0x20, 0x7F..<0xA0: appendByte(UInt8(scalar.value), to: &result)
    case _ where isInvisible(scalar): result += "\\u{\(String(scalar.value, radix: 16))}".utf8
    default: result += encoded
    }
  }

  /// Marks of direction, separators of lines, and characters without width or meaning.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xAD, 0x61C, 0x180E, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF,
      0xFFF9...0xFFFB, 0xE0000...0xE007F:
      true
    default: false
    }
  }

  private static func appendByte(_ byte: UInt8, to result: inout [UInt8]) {
    let digits = Array("0123456789ABCDEF".utf8)
    result += [UInt8(ascii: "\\"), UInt8(ascii: "x")]
    result += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }
}
