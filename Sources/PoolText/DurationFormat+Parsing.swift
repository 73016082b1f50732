import PoolModel

extension DurationFormat {
  /// A unit of a duration, from the longest.
  private static let units: [(name: String, nanoseconds: Double)] = [
    ("d", 86_400e9), ("h", 3_600e9), ("m", 60e9), ("s", 1e9), ("ms", 1e6),
  ]

  /// Parses a duration: a number of seconds, or numbers with the units d, h, m, s and ms, each once
  /// and the longest first, such as `5`, `0.5`, `500ms` or `1m30s`; nil for other text, and for
  /// negative numbers.
  ///
  /// A number without a unit counts units of `plain` nanoseconds.
  package static func nanoseconds(
    _ text: some Collection<UInt8>,
    plain: Double = 1e9
  ) -> Int64? {
    if let number = DecimalParser.double(text) { return number >= 0 ? length(number * plain) : nil }
    var rest = Array(text)[...]
    var units = units[...]
    var sum = 0.0
    repeat {
      guard let part = takePart(from: &rest, units) else { return nil }
      sum += part.number * units[part.unit].nanoseconds
      units = units[(part.unit + 1)...]
    } while !rest.isEmpty
    return length(sum)
  }

  /// Takes a number and its unit, which must be one of these.
  private static func takePart(
    from text: inout ArraySlice<UInt8>,
    _ units: ArraySlice<(name: String, nanoseconds: Double)>
  ) -> (number: Double, unit: Int)? {
    let digits = text.prefix { DecimalParser.isDigit($0) || $0 == UInt8(ascii: ".") }
    let letters = text.dropFirst(digits.count).prefix { !DecimalParser.isDigit($0) }
    let name = String(decoding: letters, as: UTF8.self)
    guard let number = DecimalParser.double(digits),
      let unit = units.firstIndex(where: { $0.name == name })
    else { return nil }
    text = text.dropFirst(digits.count + letters.count)
    return (number, unit)
  }

  /// At least one nanosecond, unless it is zero.
  private static func length(_ nanoseconds: Double) -> Int64 {
    nanoseconds > 0 ? max(.seconds(nanoseconds / 1e9), 1) : 0
  }
}
