/// Texts of the command line in which a backslash begins an escape.
package enum BackslashEscapes {
  private static let escapes: [UInt8: UInt8] = [
    UInt8(ascii: "n"): UInt8(ascii: "\n"), UInt8(ascii: "t"): UInt8(ascii: "\t"),
    UInt8(ascii: "r"): UInt8(ascii: "\r"), UInt8(ascii: "0"): 0,
    UInt8(ascii: "\\"): UInt8(ascii: "\\"),
  ]

  /// The text with its escapes resolved, `\\xHH` too; nil if one is unknown.
  package static func plain(_ text: [UInt8]) -> [UInt8]? {
    var plain: [UInt8] = []
    var rest = text[...]
    while let byte = rest.popFirst() {
      if byte != UInt8(ascii: "\\") {
        plain.append(byte)
      } else if let resolved = escape(at: &rest) {
        plain.append(resolved)
      } else {
        return nil
      }
    }
    return plain
  }

  private static func escape(at rest: inout ArraySlice<UInt8>) -> UInt8? {
    guard let letter = rest.popFirst() else { return nil }
    guard letter == UInt8(ascii: "x") else { return escapes[letter] }
    let digits = String(decoding: rest.prefix(2), as: UTF8.self)
    rest = rest.dropFirst(2)
    return digits.utf8.count == 2 ? UInt8(digits, radix: 16) : nil
  }
}
