/// The 32 bytes of a hash that identifies an operation by its content.
package struct ContentDigest: Hashable, Sendable, Comparable {
  /// The bytes, as eight big-endian numbers.
  package let words: SIMD8<UInt32>

  /// A placeholder, which is the digest of nothing.
  package static let zero = Self(words: SIMD8(repeating: 0))

  package init(words: SIMD8<UInt32>) {
    self.words = words
  }

  /// Parses 64 hexadecimal digits in lower case; nil for other text.
  package init?(hex: some Collection<UInt8>) {
    guard hex.count == 64 else { return nil }
    var words = SIMD8<UInt32>()
    for (index, digit) in hex.enumerated() {
      guard let value = Self.value(ofDigit: digit) else { return nil }
      words[index / 8] = words[index / 8] << 4 | value
    }
    self.words = words
  }

  /// The digits, two for each byte.
  package var hex: [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(64)
    for index in stride(from: 0, to: 8, by: 2) {
      Hexadecimal.append(UInt64(words[index]) << 32 | UInt64(words[index + 1]), to: &text)
    }
    return text
  }

  private static func value(ofDigit digit: UInt8) -> UInt32? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(digit - UInt8(ascii: "a")) + 10
    default: nil
    }
  }

  /// The bits are as good as random already: two of the words are enough for a table.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(UInt64(words[0]) << 32 | UInt64(words[1]))
  }

  /// Orders by the bytes.
  package static func < (left: Self, right: Self) -> Bool {
    for index in 0..<8 where left.words[index] != right.words[index] {
      return left.words[index] < right.words[index]
    }
    return false
  }
}

extension ContentDigest: CustomStringConvertible {
  package var description: String { String(decoding: hex, as: UTF8.self) }
}
