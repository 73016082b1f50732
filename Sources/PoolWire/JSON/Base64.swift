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
    // A piece at a time: one append for each character is slow.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 4_096) { piece in
      for start in stride(from: 0, to: bytes.count, by: 3_072) {
        let content = UnsafeBufferPointer(rebasing: bytes[start..<min(start + 3_072, bytes.count)])
        let count = encode(content, to: piece)
        text.append(contentsOf: UnsafeBufferPointer(rebasing: piece[..<count]))
      }
    }
  }

  /// Writes the encoded bytes; returns the number of characters.
  private static func encode(
    _ bytes: UnsafeBufferPointer<UInt8>,
    to text: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    alphabet.withUnsafeBufferPointer { alphabet in
      var (index, count) = (0, 0)
      while index < bytes.count {
        let rest = bytes.count - index
        let second = rest > 1 ? bytes[index + 1] : 0
        let third = rest > 2 ? bytes[index + 2] : 0
        let group = UInt32(bytes[index]) << 16 | UInt32(second) << 8 | UInt32(third)
        text[count] = alphabet[Int(group >> 18 & 63)]
        text[count + 1] = alphabet[Int(group >> 12 & 63)]
        text[count + 2] = rest > 1 ? alphabet[Int(group >> 6 & 63)] : UInt8(ascii: "=")
        text[count + 3] = rest > 2 ? alphabet[Int(group & 63)] : UInt8(ascii: "=")
        index += 3
        count += 4
      }
      return count
    }
  }

  /// The decoded bytes; nil if the text is not padded base64.
  package static func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard text.count.isMultiple(of: 4) else { return nil }
    // An array made with room for nothing writes its count into the storage that all empty arrays
    // share: a data race.
    guard !text.isEmpty else { return [] }
    let padding = text.reversed().prefix(2).prefix { $0 == UInt8(ascii: "=") }.count
    let whole = text.count - (padding > 0 ? 4 : 0)
    var isValid = true
    var bytes = [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3) { bytes, count in
      isValid = decode(UnsafeBufferPointer(rebasing: text[..<whole]), to: bytes)
      count = whole / 4 * 3
    }
    guard isValid, padding > 0 else { return isValid ? bytes : nil }
    var group: UInt32 = 0
    for character in text[whole..<(text.count - padding)] {
      let value = values[Int(character)]
      guard value < 64 else { return nil }
      group = group << 6 | UInt32(value)
    }
    group <<= UInt32(6 * padding)
    bytes.append(UInt8(truncatingIfNeeded: group >> 16))
    if padding == 1 { bytes.append(UInt8(truncatingIfNeeded: group >> 8)) }
    return bytes
  }

  /// Decodes groups without padding; false where one is none.
  private static func decode(
    _ text: UnsafeBufferPointer<UInt8>,
    to bytes: UnsafeMutableBufferPointer<UInt8>
  ) -> Bool {
    values.withUnsafeBufferPointer { values in
      var (count, wrong) = (0, UInt32(0))
      for start in stride(from: 0, to: text.count, by: 4) {
        let first = UInt32(values[Int(text[start])])
        let second = UInt32(values[Int(text[start + 1])])
        let third = UInt32(values[Int(text[start + 2])])
        let fourth = UInt32(values[Int(text[start + 3])])
        wrong |= (first | second | third | fourth) & 0xC0
        let group = first << 18 | second << 12 | third << 6 | fourth
        bytes[count] = UInt8(truncatingIfNeeded: group >> 16)
        bytes[count + 1] = UInt8(truncatingIfNeeded: group >> 8)
        bytes[count + 2] = UInt8(truncatingIfNeeded: group)
        count += 3
      }
      return wrong == 0
    }
  }
}
