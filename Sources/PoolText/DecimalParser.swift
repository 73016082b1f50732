import PoolModel

/// Parses decimal numbers: minus is the only sign; no hexadecimal digits, no infinities.
package enum DecimalParser {
  /// Parses a whole number; nil if the text is not one, or does not fit.
  package static func integer(_ text: some Collection<UInt8>) -> Int? {
    let digits = text.first == UInt8(ascii: "-") ? text.dropFirst() : text[...]
    guard !digits.isEmpty, digits.allSatisfy(isDigit) else { return nil }
    return Int(String(decoding: text, as: UTF8.self))
  }

  /// Parses a number with an optional fraction and exponent; nil for other text.
  package static func double(_ text: some Collection<UInt8>) -> Double? {
    let isDecimal = text.allSatisfy { byte in
      isDigit(byte) || [.init(ascii: "."), .init(ascii: "-"), .init(ascii: "e")].contains(byte)
    }
    guard isDecimal, let value = Double(String(decoding: text, as: UTF8.self)) else { return nil }
    return value.isFinite ? value : nil
  }

  /// The value of a number in JSON, which a scanner has read; nil if it is too large.
  package static func double(json number: some Collection<UInt8>) -> Double? {
    Double(String(decoding: number, as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
  }

  /// Converts seconds to nanoseconds, at least one; nil if the time is not above zero.
  package static func nanoseconds(seconds: Double) -> Int64? {
    seconds > 0 ? max(.seconds(seconds), 1) : nil
  }

  package static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
