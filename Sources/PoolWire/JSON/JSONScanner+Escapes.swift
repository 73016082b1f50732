extension JSONScanner {
  /// The content of a string with resolved escapes: UTF-8, if the string is.
  package func content(of string: JSONStringRange) -> [UInt8] {
    let raw = slice(string.range)
    guard string.hasEscapes else { return Array(raw) }
    // An escape is never shorter than its character.
    return [UInt8](unsafeUninitializedCapacity: raw.count) { buffer, count in
      guard let base = buffer.baseAddress else { return }
      count = Self.resolveEscapes(of: raw, into: base)
    }
  }

  /// Passes the content of a string to the closure; copies it only if it has escapes.
  @inline(__always)
  func withContent<Value>(
    of string: JSONStringRange,
    _ body: (UnsafeBufferPointer<UInt8>) -> Value
  ) -> Value {
    if string.hasEscapes {
      content(of: string).withUnsafeBufferPointer(body)
    } else {
      body(slice(string.range))
    }
  }

  /// Writes the content of a string whose escapes are checked; returns the number of its bytes.
  private static func resolveEscapes(
    of raw: UnsafeBufferPointer<UInt8>,
    into content: UnsafeMutablePointer<UInt8>
  ) -> Int {
    var scanner = JSONScanner(UnsafeRawBufferPointer(raw))
    var count = 0
    while scanner.position < raw.count {
      let start = scanner.position
      let plain = firstEscaped(in: raw, from: start) - start
      if plain > 0, let source = raw.baseAddress {
        (content + count).initialize(from: source + start, count: plain)
        count += plain
        scanner.position += plain
      }
      while scanner.position < raw.count, raw[scanner.position] == .backslash,
        let scalar = try? scanner.scanEscape()
      {
        count += write(scalar, to: content + count)
      }
      // The escapes were checked when the string was scanned.
      guard scanner.position > start else { break }
    }
    return count
  }

  /// Writes the UTF-8 of a character; returns the number of its bytes.
  @inline(__always)
  private static func write(_ scalar: Unicode.Scalar, to bytes: UnsafeMutablePointer<UInt8>) -> Int
  {
    let value = scalar.value
    if value < 0x80 {
      bytes.initialize(to: UInt8(truncatingIfNeeded: value))
      return 1
    }
    let count = value < 0x800 ? 2 : value < 0x10000 ? 3 : 4
    var rest = value
    for index in (1..<count).reversed() {
      (bytes + index).initialize(to: 0x80 | UInt8(truncatingIfNeeded: rest & 0x3F))
      rest >>= 6
    }
    // As many ones as bytes, and a zero.
    bytes.initialize(to: UInt8(truncatingIfNeeded: 0xF00 >> count) | UInt8(rest))
    return count
  }

  /// Consumes one escape, including both halves of a surrogate pair; returns its character.
  mutating func scanEscape() throws(JSONError) -> Unicode.Scalar {
    let start = position
    guard start + 1 < bytes.count else { throw JSONError(.unexpectedEnd, at: start) }
    position += 2
    switch bytes[start + 1] {
    case UInt8(ascii: "u"): return try scanCodePoint(from: start)
    case UInt8(ascii: "n"): return "\n"
    case .quote: return "\""
    case .backslash: return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    default: throw JSONError(.invalidEscape, at: start)
    }
  }

  @inline(__always)
  private mutating func scanCodePoint(from start: Int) throws(JSONError) -> Unicode.Scalar {
    let unit = try scanFourHexDigits(from: start)
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard UTF16.isLeadSurrogate(unit), position + 1 < bytes.count,
      bytes[position] == .backslash, bytes[position + 1] == UInt8(ascii: "u")
    else { throw JSONError(.loneSurrogate, at: start) }
    position += 2
    let trail = try scanFourHexDigits(from: start)
    guard UTF16.isTrailSurrogate(trail) else { throw JSONError(.loneSurrogate, at: start) }
    let value = 0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(trail) - 0xDC00)
    guard let scalar = Unicode.Scalar(value) else { throw JSONError(.loneSurrogate, at: start) }
    return scalar
  }

  @inline(__always)
  private mutating func scanFourHexDigits(from start: Int) throws(JSONError) -> UInt16 {
    guard position + 4 <= bytes.count else { throw JSONError(.unexpectedEnd, at: start) }
    var value: UInt16 = 0
    for offset in 0..<4 {
      guard let digit = bytes[position + offset].hexDigit else {
        throw JSONError(.invalidEscape, at: start)
      }
      value = value << 4 | UInt16(digit)
    }
    position += 4
    return value
  }
}

extension UInt8 {
  /// The value of a hexadecimal digit.
  @inline(__always)
  fileprivate var hexDigit: UInt8? {
    let digit = self &- UInt8(ascii: "0")
    if digit < 10 { return digit }
    let letter = (self | 0x20) &- UInt8(ascii: "a")
    return letter < 6 ? letter + 10 : nil
  }
}
