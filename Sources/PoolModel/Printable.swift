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

  /// Lines with all characters escaped that could move the cursor elsewhere than to the next line.
  ///
  /// For whole messages: each name in one is escaped on its own before, line feeds included.
  package static func lines(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { Self.text(String($0)) }.joined(separator: "\n")
  }

  /// A name as messages show it: like ``text(_:)``, but without its middle if it is very long.
  package static func name(_ bytes: [UInt8]) -> String {
    guard bytes.count > nameLimit else { return text(bytes) }
    // Characters are not cut; invalid bytes may be.
    let end = bytes[..<(nameLimit / 2)].lastIndex { !isContinuation($0) } ?? 0
    let start = bytes[(bytes.count - nameLimit / 2)...].firstIndex { !isContinuation($0) }
    let tail = bytes[(start ?? bytes.count)...]
    let omitted = bytes.count - end - tail.count
    return "\(text(bytes[..<end]))…(\(omitted) bytes)…\(text(tail))"
  }

  /// A name as messages show it: like ``text(_:)``, but without its middle if it is very long.
  package static func name(_ name: String) -> String { Self.name(Array(name.utf8)) }

  /// Number of bytes above which a name is shortened: more than any file name has.
  private static let nameLimit = 256

  private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0b1100_0000 == 0b1000_0000 }

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

  /// A time in seconds, to a millisecond: `10 s`, `0.5 s`.
  package static func seconds(_ nanoseconds: Int64) -> String {
    let (whole, rest) = (nanoseconds / 1_000_000).quotientAndRemainder(dividingBy: 1_000)
    var decimals = String(1_000 + rest.magnitude).dropFirst()
    while decimals.last == "0" { decimals.removeLast() }
    return "\(whole)\(decimals.isEmpty ? "" : ".")\(decimals) s"
  }
}
