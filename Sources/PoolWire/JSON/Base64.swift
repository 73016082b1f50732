/// Base64 with padding (RFC 4648, section 4), for bytes that are not UTF-8.
///
/// Written here because this module does without Foundation, which would double the start time of a
/// worker.
package enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
  )

  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xFF, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()

  /// Appends the encoded bytes: four characters for each three bytes begun.
  package static func encode(_ bytes: UnsafeBufferPointer<UInt8>, into text: inout [UInt8]) {
    text.reserveCapacity(text.count + (bytes.count + 2) / 3 * 4)
    var index = 0
    while index < bytes.count {
      let rest = bytes.count - index
      let second = rest > 1 ? bytes[index + 1] : 0
      let third = rest > 2 ? bytes[index + 2] : 0
      let group = UInt32(bytes[index]) << 16 | UInt32(second) << 8 | UInt32(third)
      text.append(alphabet[Int(group >> 18 & 63)])
      text.append(alphabet[Int(group >> 12 & 63)])
      text.append(rest > 1 ? alphabet[Int(group >> 6 & 63)] : UInt8(ascii: "="))
      text.append(rest > 2 ? alphabet[Int(group & 63)] : UInt8(ascii: "="))
      index += 3
    }
  }

  /// The decoded bytes; nil if the text is not padded base64.
  package static func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard text.count.isMultiple(of: 4) else { return nil }
    let padding = text.reversed().prefix(2).prefix { $0 == UInt8(ascii: "=") }.count
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    for start in stride(from: 0, to: text.count, by: 4) {
      let isLast = start + 4 == text.count
      var group: UInt32 = 0
      for offset in 0..<4 {
        let isPad = isLast && offset >= 4 - padding
        let value = isPad ? 0 : values[Int(text[start + offset])]
        guard value < 64 else { return nil }
        group = group << 6 | UInt32(value)
      }
      let count = isLast ? 3 - padding : 3
      for offset in 0..<count {
        bytes.append(UInt8(truncatingIfNeeded: group >> (16 - 8 * offset)))
      }
    }
    return bytes
  }
}
