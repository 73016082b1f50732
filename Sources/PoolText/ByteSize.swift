/// Numbers of bytes such as `64K`, with the units of GNU parallel.
package enum ByteSize {
  private static let units: [(letters: String, base: Double)] = [
    ("KMGTP", 1_024), ("kmgtp", 1_000),
  ]

  /// Parses a number above zero, with or without a unit; nil for other text.
  package static func parse(_ text: [UInt8]) -> Int? {
    for (letters, base) in units {
      var scale = 1.0
      for letter in letters.utf8 {
        scale *= base
        if letter == text.last { return bytes(text.dropLast(), scale) }
      }
    }
    return bytes(text[...], 1)
  }

  private static func bytes(_ digits: ArraySlice<UInt8>, _ scale: Double) -> Int? {
    guard digits.first.map(DecimalParser.isDigit) == true, let number = DecimalParser.double(digits)
    else { return nil }
    let bytes = (number * scale).rounded(.down)
    return bytes >= 1 && bytes < 0x1p62 ? Int(bytes) : nil
  }

  /// The size in the largest unit of 1024 that fits, with a decimal: `1.5 GiB`.
  package static func rough(_ byteCount: Int64) -> String {
    var (value, unit) = (Double(byteCount), 0)
    let units = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB"]
    while value >= 1_024, unit < units.count - 1 { (value, unit) = (value / 1_024, unit + 1) }
    guard unit > 0 else { return "\(byteCount) bytes" }
    let tenths = Int64(value * 10)
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }
}
