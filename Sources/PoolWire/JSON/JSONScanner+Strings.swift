/// The range of a JSON string's content, between its quotes.
package struct JSONStringRange: Hashable {
  package var range: Range<Int>
  /// Whether the content differs from its bytes in the text.
  package var hasEscapes: Bool
}

extension JSONScanner {
  /// Consumes a string, checks its escapes and its UTF-8; returns the range of its content.
  package mutating func scanString() throws(JSONError) -> JSONStringRange {
    try scanString(checksUTF8: true)
  }

  /// Consumes a string and checks its escapes; leaves its UTF-8 to the caller where it says so.
  @inline(__always)
  mutating func scanString(checksUTF8: Bool) throws(JSONError) -> JSONStringRange {
    guard let first = peek() else { throw JSONError(.unexpectedEnd, at: position) }
    guard first == .quote else { throw JSONError(.expected("a string"), at: position) }
    position += 1
    let start = position
    var hasEscapes = false
    while true {
      if checksUTF8 {
        try skipPlainCharacters()
      } else {
        position = Self.firstEscaped(in: bytes, from: position)
      }
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
      // Escapes often come in runs.
      repeat {
        _ = try scanEscape()
      } while position < bytes.count && bytes[position] == .backslash
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
  @inline(__always)
  static func firstEscaped(in content: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    let raw = UnsafeRawBufferPointer(content)
    var index = start
    while index + 8 <= raw.count {
      let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      // Ignores the bits that only say that a byte is not ASCII.
      let special = specialBytes(in: word) & ~word
      guard special == 0 else { return index + special.trailingZeroBitCount / 8 }
      index += 8
    }
    let word = lastBytes(of: raw, from: index)
    let special = specialBytes(in: word) & ~word
    return special == 0 ? raw.count : index + special.trailingZeroBitCount / 8
  }

  /// The offset of the first byte that a string must escape or that is not ASCII; the count if
  /// there is none.
  @inline(__always)
  private static func endOfPlainText(
    in content: UnsafeBufferPointer<UInt8>,
    from start: Int
  ) -> Int {
    let raw = UnsafeRawBufferPointer(content)
    var index = start
    while index + 8 <= raw.count {
      let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      let special = specialBytes(in: word)
      guard special == 0 else { return index + special.trailingZeroBitCount / 8 }
      index += 8
    }
    let special = specialBytes(in: lastBytes(of: raw, from: index))
    return special == 0 ? raw.count : index + special.trailingZeroBitCount / 8
  }

  /// Consumes the next key of an object, with the comma before and the colon behind it, and returns
  /// its place; nil, and consumes nothing, if it is not ASCII without escapes and white space
  /// around it.
  @inline(__always)
  mutating func plainKey(_ isFirst: inout Bool) -> Range<Int>? {
    var start = position
    if !isFirst {
      guard start < bytes.count, bytes[start] == .comma else { return nil }
      start += 1
    }
    guard start < bytes.count, bytes[start] == .quote else { return nil }
    start += 1
    let end = Self.endOfPlainText(in: bytes, from: start)
    guard end + 1 < bytes.count, bytes[end] == .quote, bytes[end + 1] == .colon else { return nil }
    position = end + 2
    isFirst = false
    return Range(uncheckedBounds: (start, end))
  }

  /// The last bytes, at most seven, with spaces behind them.
  @inline(__always)
  private static func lastBytes(of raw: UnsafeRawBufferPointer, from index: Int) -> UInt64 {
    let count = raw.count - index
    let spaces: UInt64 = 0x2020_2020_2020_2020 << (8 * count)
    if count >= 4 {
      // Two loads, which mostly overlap.
      let first = raw.loadUnaligned(fromByteOffset: index, as: UInt32.self)
      let last = raw.loadUnaligned(fromByteOffset: raw.count - 4, as: UInt32.self)
      return spaces | UInt64(UInt32(littleEndian: first))
        | UInt64(UInt32(littleEndian: last)) << (8 * (count - 4))
    }
    guard count > 0 else { return spaces }
    let middle = count / 2
    return spaces | UInt64(raw[index]) | UInt64(raw[index + middle]) << (8 * middle)
      | UInt64(raw[raw.count - 1]) << (8 * (count - 1))
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
  func holds(_ right: UnsafeRawBufferPointer, at start: Int) -> Bool {
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
    if count >= 8 {
      // The last eight bytes, some of which are equal already.
      return offset == count
        || left.loadUnaligned(fromByteOffset: start + count - 8, as: UInt64.self)
          == right.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
    }
    if count >= 4 {
      guard
        left.loadUnaligned(fromByteOffset: start, as: UInt32.self)
          == right.loadUnaligned(fromByteOffset: 0, as: UInt32.self)
      else { return false }
      offset = 4
    }
    while offset < count {
      guard left[start + offset] == right[offset] else { return false }
      offset += 1
    }
    return true
  }

  /// The content of a string.
  package func text(of string: JSONStringRange) -> String {
    string.hasEscapes
      ? String(decoding: content(of: string), as: UTF8.self)
      : String(decoding: slice(string.range), as: UTF8.self)
  }

  /// The content of a string whose UTF-8 nothing has checked; nil if it is not UTF-8.
  func validText(of string: JSONStringRange) -> String? {
    string.hasEscapes
      ? content(of: string).withUnsafeBufferPointer { Self.validText($0) }
      : Self.validText(slice(string.range))
  }

  /// Decodes and compares, because decoding replaces what is not UTF-8.
  ///
  /// For short texts, the initialiser that validates costs three times as much.
  private static func validText(_ content: UnsafeBufferPointer<UInt8>) -> String? {
    var text = String(decoding: content, as: UTF8.self)
    let isEqual = text.withUTF8 { decoded in
      guard decoded.count == content.count else { return false }
      return JSONScanner(UnsafeRawBufferPointer(decoded))
        .holds(UnsafeRawBufferPointer(content), at: 0)
    }
    return isEqual ? text : nil
  }

  /// Consumes a string and returns its content.
  package mutating func string() throws(JSONError) -> String {
    let start = position
    // Making the string checks its UTF-8.
    if let range = try? scanString(checksUTF8: false), let text = validText(of: range) {
      return text
    }
    // Another look finds the first error.
    position = start
    return text(of: try scanString())
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
