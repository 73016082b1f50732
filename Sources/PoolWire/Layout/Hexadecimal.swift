/// Numbers as sixteen hexadecimal digits.
package enum Hexadecimal {
  /// Appends the digits, in lower case.
  package static func append(_ number: UInt64, to text: inout [UInt8]) {
    let digits = (Self.digits(number >> 32).bigEndian, Self.digits(number).bigEndian)
    withUnsafeBytes(of: digits) { text.append(contentsOf: $0) }
  }

  /// The eight digits of the lower half, the first one in the highest byte.
  private static func digits(_ number: UInt64) -> UInt64 {
    // One byte for each four bits.
    var digits = number & 0xFFFF_FFFF
    digits = (digits | digits << 16) & 0x0000_FFFF_0000_FFFF
    digits = (digits | digits << 8) & 0x00FF_00FF_00FF_00FF
    digits = (digits | digits << 4) & 0x0F0F_0F0F_0F0F_0F0F
    // A byte of 10 or more reaches 16 with 6 more.
    let letters = (digits &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    return digits &+ 0x3030_3030_3030_3030 &+ letters &* 0x27
  }

  /// The digits, in lower case.
  package static func text(_ number: UInt64) -> String {
    var text: [UInt8] = []
    append(number, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// The number in sixteen digits; nil if they are not digits.
  package static func number(_ digits: some Collection<UInt8>) -> UInt64? {
    guard digits.count == 16, digits.allSatisfy({ $0 != UInt8(ascii: "+") }) else { return nil }
    return UInt64(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}
