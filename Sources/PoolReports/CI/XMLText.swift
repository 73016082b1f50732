/// Text from outside in a document of XML 1.0.
enum XMLText {
  /// Appends text between two tags.
  static func append(_ text: String, to bytes: inout [UInt8]) {
    append(text, to: &bytes, isAttribute: false)
  }

  /// Appends an attribute, after a space.
  static func append(_ name: String, _ value: String, to bytes: inout [UInt8]) {
    bytes += Array(" \(name)=\"".utf8)
    append(value, to: &bytes, isAttribute: true)
    bytes.append(UInt8(ascii: "\""))
  }

  private static func append(_ text: String, to bytes: inout [UInt8], isAttribute: Bool) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": bytes += "&amp;".utf8
      case "<": bytes += "&lt;".utf8
      case ">": bytes += "&gt;".utf8
      case "\"" where isAttribute: bytes += "&quot;".utf8
      // A reader would make spaces of them in an attribute, and a line feed of a carriage return.
      case "\n" where isAttribute, "\t" where isAttribute, "\r": bytes += "&#\(scalar.value);".utf8
      default: bytes += String(isAllowed(scalar) ? scalar : "\u{FFFD}").utf8
      }
    }
  }

  /// Whether XML has the character: not most control characters, nor two others.
  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
    default: false
    }
  }
}
