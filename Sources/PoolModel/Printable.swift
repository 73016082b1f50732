/// Makes untrusted bytes safe for a terminal.
package enum Printable {
  /// The bytes as one line of text: control characters, and bytes that are not UTF-8, become `\n`,
  /// `\t` or `\xNN`, so that no identifier or path can move the cursor.
  package static func text(_ bytes: some Sequence<UInt8>) -> String {
    let bytes = Array(bytes)
    var text = ""
    text.reserveCapacity(bytes.count)
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var position = 0
    while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let encoded):
        append(Unicode.UTF8.decode(encoded), to: &text)
        position += encoded.count
      case .error(let length):
        for byte in bytes[position..<position + length] { text += hexadecimal(UInt32(byte)) }
        position += length
      case .emptyInput:
        return text
      }
    }
  }

  /// The text with all characters escaped that could move the cursor.
  package static func text(_ text: String) -> String {
    var safe = ""
    safe.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars { append(scalar, to: &safe) }
    return safe
  }

  private static func append(_ scalar: Unicode.Scalar, to text: inout String) {
    switch scalar.value {
    case 0x0A: text += "\\n"
    case 0x0D: text += "\\r"
    case 0x09: text += "\\t"
    case 0..<0x20, 0x7F..<0xA0: text += hexadecimal(scalar.value)
    // Line separators, and marks that turn the direction of the text around.
    case 0x2028...0x202E, 0x2066...0x2069: text += "\\u{\(String(scalar.value, radix: 16))}"
    default: text.unicodeScalars.append(scalar)
    }
  }

  private static func hexadecimal(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return "\\x" + (digits.count < 2 ? "0" : "") + digits
  }
}
