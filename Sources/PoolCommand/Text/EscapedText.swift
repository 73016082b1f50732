/// Texts of the command line in which a backslash begins an escape.
enum EscapedText {
  private static let escapes: [UInt8: UInt8] = [
    UInt8(ascii: "n"): UInt8(ascii: "\n"), UInt8(ascii: "t"): UInt8(ascii: "\t"),
    UInt8(ascii: "r"): UInt8(ascii: "\r"), UInt8(ascii: "0"): 0,
    UInt8(ascii: "\\"): UInt8(ascii: "\\"),
  ]

  /// The text with its escapes resolved; nil if one is unknown.
  static func plain(_ text: [UInt8]) -> [UInt8]? {
    var plain: [UInt8] = []
    var rest = text[...]
    while let byte = rest.popFirst() {
      if byte != UInt8(ascii: "\\") {
        plain.append(byte)
      } else if let next = rest.popFirst(), let resolved = escapes[next] {
        plain.append(resolved)
      } else {
        return nil
      }
    }
    return plain
  }
}
