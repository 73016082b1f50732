/// The range of a JSON string's content, between its quotes.
package struct JSONStringRange: Hashable {
  package var range: Range<Int>
  /// Whether the content differs from its bytes in the text.
  package var hasEscapes: Bool
}

extension JSONScanner {
  /// Consumes a string, checks its escapes and its UTF-8; returns the range of its content.
  package mutating func scanString() throws(JSONError) -> JSONStringRange {
    guard let first = peek() else { throw JSONError(.unexpectedEnd, at: position) }
    guard first == .quote else { throw JSONError(.expected("a string"), at: position) }
    position += 1
    let start = position
    var hasEscapes = false
    while true {
      try skipPlainCharacters()
      guard position < bytes.count else { throw JSONError(.unexpectedEnd, at: position) }
      let byte = bytes[position]
      if byte == .quote {
        position += 1
        return JSONStringRange(range: start..<(position - 1), hasEscapes: hasEscapes)
      }
      guard byte == .backslash else {
        throw JSONError(.controlCharacter, at: position)
      }
      hasEscapes = true
      _ = try scanEscape()
    }
  }

  /// Moves to the next quote, backslash or control character; checks the UTF-8 before it.
  @inline(__always)
  private mutating func skipPlainCharacters() throws(JSONError) {
    var index = position
    while index + 8 <= bytes.count {
      let word = UnsafeRawBufferPointer(bytes).loadUnaligned(
        fromByteOffset: index,
        as: UInt64.self
      )
      let special = Self.specialBytes(in: UInt64(littleEndian: word))
      index += special.trailingZeroBitCount / 8
      guard special != 0 else { continue }
      guard bytes[index] >= 0x80 else {
        position = index
        return
      }
      index = try endOfMultiByteCharacters(from: index)
    }
    while index < bytes.count {
      if bytes[index] >= 0x80 {
        index = try endOfMultiByteCharacters(from: index)
      } else if Self.specialBytes(in: UInt64(bytes[index]) | Self.spaces) == 0 {
        index += 1
      } else {
        break
      }
    }
    position = index
  }

  /// The offset of the first byte that a string must escape; the count if there is none.
  static func firstEscaped(in content: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    let raw = UnsafeRawBufferPointer(content)
    var index = start
    while index + 8 <= raw.count {
      let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      // Ignores the bits that only say that a byte is not ASCII.
      guard specialBytes(in: word) & ~word == 0 else { break }
      index += 8
    }
    while index < raw.count, raw[index] >= 0x20, raw[index] != .quote, raw[index] != .backslash {
      index += 1
    }
    return index
  }

  /// Seven ordinary bytes, for a word where only the lowest byte counts.
  private static var spaces: UInt64 { 0x2020_2020_2020_2000 }

  /// Sets the top bit of bytes that are a quote, a backslash, a control character or not ASCII.
  ///
  /// The lowest bit set is exact; above it, a borrow may set more. Warren, "Hacker's Delight", 6-1.
  @inline(__always)
  private static func specialBytes(in word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = word ^ (ones &* UInt64(UInt8.quote))
    let backslashes = word ^ (ones &* UInt64(UInt8.backslash))
    let controls = (word &- ones &* 0x20) & ~word
    let found = (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes | controls | word
    return found & (ones &* 0x80)
  }

  /// Whether a string's content equals this text; most keys need no copy for that.
  @inline(__always)
  package func matches(_ string: JSONStringRange, _ text: StaticString) -> Bool {
    if string.hasEscapes {
      let content = content(of: string)
      return content.elementsEqual(
        UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
      )
    }
    guard string.range.count == text.utf8CodeUnitCount else { return false }
    return holds(text, at: string.range.lowerBound)
  }

  /// Whether the text at an offset equals this one; it must be in range.
  @inline(__always)
  func holds(_ text: StaticString, at start: Int) -> Bool {
    holds(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount), at: start)
  }

  /// Whether the bytes at an offset equal these; they must be in range.
  @inline(__always)
  func holds(_ text: [UInt8], at start: Int) -> Bool {
    text.withUnsafeBytes { holds($0, at: start) }
  }

  @inline(__always)
  private func holds(_ right: UnsafeRawBufferPointer, at start: Int) -> Bool {
    let left = UnsafeRawBufferPointer(bytes)
    let count = right.count
    var offset = 0
    while offset + 8 <= count {
      guard
        left.loadUnaligned(fromByteOffset: start + offset, as: UInt64.self)
          == right.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      else { return false }
      offset += 8
    }
    while offset + 4 <= count {
      guard
        left.loadUnaligned(fromByteOffset: start + offset, as: UInt32.self)
          == right.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
      else { return false }
      offset += 4
    }
    while offset < count {
      guard left[start + offset] == right[offset] else { return false }
      offset += 1
    }
    return true
  }

  /// The content of a string with resolved escapes: UTF-8.
  package func content(of string: JSONStringRange) -> [UInt8] {
    let raw = slice(string.range)
    guard string.hasEscapes else { return Array(raw) }
    var content: [UInt8] = []
    content.reserveCapacity(raw.count)
    var scanner = self
    scanner.position = string.range.lowerBound
    while scanner.position < string.range.upperBound {
      let rest = slice(scanner.position..<string.range.upperBound)
      let plain = rest.firstIndex(of: .backslash) ?? rest.count
      content.append(contentsOf: UnsafeBufferPointer(rebasing: rest[..<plain]))
      scanner.position += plain
      // The escapes were checked when the string was scanned.
      guard plain < rest.count, let scalar = try? scanner.scanEscape() else { break }
      if scalar.isASCII {
        content.append(UInt8(truncatingIfNeeded: scalar.value))
      } else {
        content.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
    }
    return content
  }

  /// The content of a string.
  package func text(of string: JSONStringRange) -> String {
    string.hasEscapes
      ? String(decoding: content(of: string), as: UTF8.self)
      : String(decoding: slice(string.range), as: UTF8.self)
  }

  /// Consumes a string and returns its content.
  package mutating func string() throws(JSONError) -> String {
    text(of: try scanString())
  }

  /// Consumes bytes in their one JSON form: a string if they are UTF-8, otherwise `{"base64":"…"}`.
  package mutating func byteText() throws(JSONError) -> [UInt8] {
    guard try token() == .object else { return content(of: try scanString()) }
    let start = position
    try beginObject()
    var isFirst = true
    var decoded: [UInt8]?
    while let key = try nextKey(&isFirst) {
      guard matches(key, "base64"), decoded == nil else {
        throw JSONError(.expected("{\"base64\":…}"), at: key.range.lowerBound)
      }
      let content = try scanString()
      // Some encoders escape "/", so escapes are resolved first.
      decoded = self.content(of: content).withUnsafeBufferPointer { Base64.decode($0) }
      guard decoded != nil else { throw JSONError(.invalidBase64, at: content.range.lowerBound) }
    }
    guard let decoded else { throw JSONError(.expected("{\"base64\":…}"), at: start) }
    return decoded
  }

  /// Consumes one escape, including both halves of a surrogate pair; returns its character.
  private mutating func scanEscape() throws(JSONError) -> Unicode.Scalar {
    let start = position
    guard start + 1 < bytes.count else { throw JSONError(.unexpectedEnd, at: start) }
    position += 2
    switch bytes[start + 1] {
    case .quote: return "\""
    case .backslash: return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try scanCodePoint(from: start)
    default: throw JSONError(.invalidEscape, at: start)
    }
  }

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

  private mutating func scanFourHexDigits(from start: Int) throws(JSONError) -> UInt16 {
    guard position + 4 <= bytes.count else { throw JSONError(.unexpectedEnd, at: start) }
    var value: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = Character(Unicode.Scalar(bytes[position])).hexDigitValue,
        bytes[position] < 0x80
      else { throw JSONError(.invalidEscape, at: start) }
      value = value << 4 | UInt16(digit)
      position += 1
    }
    return value
  }

  /// The offset of the first ASCII byte after characters of two to four bytes, which are checked;
  /// the table is Unicode's, table 3-7.
  private func endOfMultiByteCharacters(from start: Int) throws(JSONError) -> Int {
    var index = start
    while index < bytes.count, bytes[index] >= 0x80 {
      let lead = bytes[index]
      let count: Int
      var second: ClosedRange<UInt8> = 0x80...0xBF
      switch lead {
      case 0xC2...0xDF: count = 2
      case 0xE1...0xEC, 0xEE...0xEF: count = 3
      case 0xE0: (count, second) = (3, 0xA0...0xBF)
      case 0xED: (count, second) = (3, 0x80...0x9F)
      case 0xF0: (count, second) = (4, 0x90...0xBF)
      case 0xF4: (count, second) = (4, 0x80...0x8F)
      case 0xF1...0xF3: count = 4
      default: throw JSONError(.invalidUTF8, at: index)
      }
      guard index + count <= bytes.count, second.contains(bytes[index + 1]),
        count < 3 || bytes[index + 2] & 0xC0 == 0x80,
        count < 4 || bytes[index + 3] & 0xC0 == 0x80
      else { throw JSONError(.invalidUTF8, at: index) }
      index += count
    }
    return index
  }
}
