extension JSONWriter {
  package mutating func string(_ text: String) {
    var text = text
    text.withUTF8 { string($0) }
  }

  /// Writes UTF-8 as a string.
  package mutating func string(_ content: [UInt8]) {
    content.withUnsafeBufferPointer { string($0) }
  }

  /// Writes a number as a string.
  mutating func decimalText(_ number: Int) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 24) { buffer in
      var text = ReverseJSONWriter(buffer)
      text.prepend(.quote)
      text.prepend(number: number)
      text.prepend(.quote)
      append(text)
    }
  }

  package mutating func string(_ content: UnsafeBufferPointer<UInt8>) {
    string(content, isKey: false)
  }

  /// Writes UTF-8 as a string, and the colon of a key.
  @inline(__always)
  mutating func string(_ content: UnsafeBufferPointer<UInt8>, isKey: Bool) {
    let first = JSONScanner.firstEscaped(in: content, from: 0)
    guard first < content.count || first > Self.shortText else {
      return shortString(content, isKey: isKey)
    }
    separate()
    bytes.append(.quote)
    escaped(content, from: first)
    bytes.append(.quote)
    if isKey { bytes.append(.colon) }
  }

  /// Writes a short string that needs no escapes: one append is faster than several.
  @inline(__always)
  private mutating func shortString(_ content: UnsafeBufferPointer<UInt8>, isKey: Bool) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: content.count + 4) { buffer in
      var text = ReverseJSONWriter(buffer)
      if isKey { text.prepend(.colon) }
      text.prepend(.quote)
      text.prepend(content)
      text.prepend(.quote)
      append(text)
    }
  }

  /// A string of at most so many bytes may be copied twice.
  private static let shortText = 256

  /// Writes UTF-8 as a part of a string; the part may end within a character.
  mutating func characters(_ content: UnsafeBufferPointer<UInt8>) {
    escaped(content, from: JSONScanner.firstEscaped(in: content, from: 0))
  }

  /// Appends a text with escapes, the first of which is at this offset.
  private mutating func escaped(_ content: UnsafeBufferPointer<UInt8>, from first: Int) {
    var (plain, index) = (0, first)
    while index < content.count {
      if plain < index {
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: content[plain..<index]))
      }
      escape(content[index])
      plain = index + 1
      index = JSONScanner.firstEscaped(in: content, from: plain)
    }
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: content[plain...]))
  }

  private mutating func escape(_ byte: UInt8) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 6) { buffer in
      var text = ReverseJSONWriter(buffer)
      text.prepend(escaped: byte)
      bytes.append(contentsOf: text.content)
    }
  }
}
