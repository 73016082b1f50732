/// A number with at most three decimals and fifteen digits.
///
/// Most numbers that people write are such, and finding their digits takes a sixth of what it takes
/// for others.
struct ShortDecimal {
  fileprivate let isNegative: Bool
  /// The number without its sign, times this power of ten.
  fileprivate let digits: UInt64
  fileprivate let decimals: Int

  /// Nil if the number has more decimals or digits.
  ///
  /// Fifteen digits are exact, and so is the power of ten, so that the division rounds correctly.
  /// No other text of at most fifteen digits is the same number: so this is the shortest.
  @inline(__always)
  init?(_ value: Double) {
    var (scale, decimals, digits) = (1.0, 0, UInt64(0))
    repeat {
      let scaled = value.magnitude * scale
      // False for numbers that are not finite, too.
      guard scaled < 1e15, decimals <= 3 else { return nil }
      digits = UInt64(scaled + 0.5)
      if Double(digits) / scale == value.magnitude { break }
      scale *= 10
      decimals += 1
    } while true
    self.digits = digits
    self.decimals = decimals
    isNegative = value.sign == .minus
  }
}

extension JSONWriter {
  /// Writes a number.
  mutating func decimal(_ number: ShortDecimal) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 24) { buffer in
      var text = ReverseJSONWriter(buffer)
      var rest = number.digits
      for _ in 0..<number.decimals {
        text.prepend(UInt8(ascii: "0") + UInt8(rest % 10))
        rest /= 10
      }
      if number.decimals > 0 { text.prepend(UInt8(ascii: ".")) }
      text.prepend(decimal: rest, isNegative: number.isNegative)
      append(text)
    }
  }
}
