/// Numbers as sixteen hexadecimal digits.
package enum Hexadecimal {
  /// Appends the digits, in lower case.
  package static func append(_ number: UInt64, to text: inout [UInt8]) {
    var digits = SIMD16<UInt8>()
    for index in 0..<16 {
      digits[index] = UInt8(truncatingIfNeeded: number >> UInt64(60 - 4 * index)) & 15
    }
    digits &+= UInt8(ascii: "0")
    let letters = digits &+ (UInt8(ascii: "a") - UInt8(ascii: "9") - 1)
    digits.replace(with: letters, where: digits .> UInt8(ascii: "9"))
    withUnsafeBytes(of: digits) { text.append(contentsOf: $0) }
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
