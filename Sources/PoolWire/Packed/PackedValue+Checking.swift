extension PackedValue {
  /// Throws unless the bytes are a packed value of one JSON value; reads them in place.
  package static func check(_ bytes: [UInt8]) throws(PackedError) {
    let value = try PackedValue(bytes)
    for (index, part) in value.parts.enumerated() {
      let isValid = value.withContent(of: part) { part.type.isValid($0) }
      guard isValid else { throw PackedError("part \(index) has content that JSON cannot have") }
    }
    let found: Int
    do throws(JSONError) {
      found = try value.withText { text throws(JSONError) in
        try JSONScanner.check(text)
        return countParts(value.parts, in: text)
      }
    } catch {
      throw PackedError("its text is not JSON: \(error)")
    }
    guard found == value.parts.count else {
      throw PackedError("part \(found) is at no 'null' of its text")
    }
  }

  /// Number of parts, from the first on, that stand for a `null` of a valid JSON text.
  ///
  /// Stores nothing of the text, which would take far more memory as a tree. Outside strings, only
  /// `null` begins with an "n".
  private static func countParts(_ parts: [Part], in text: UnsafeBufferPointer<UInt8>) -> Int {
    var (index, found) = (0, 0)
    while found < parts.count, index <= parts[found].offset {
      if text[index] == .quote {
        index = endOfString(from: index, in: text)
      } else if index < parts[found].offset {
        index += 1
      } else if text[index] == placeholder.utf8Start[0] {
        found += 1
        index += placeholder.utf8CodeUnitCount
      } else {
        break
      }
    }
    return found
  }

  /// The offset after a string that begins here.
  private static func endOfString(from start: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
    var index = start + 1
    while text[index] != .quote { index += text[index] == .backslash ? 2 : 1 }
    return index + 1
  }
}

extension PackedType {
  /// Whether a JSON text could have this content: JSON has no infinite numbers, and its strings are
  /// UTF-8.
  func isValid(_ content: UnsafeRawBufferPointer) -> Bool {
    switch (form, width) {
    case (.text, _): content.withMemoryRebound(to: UInt8.self) { UTF8Check.isValid($0) }
    case (.float, 8): Self.areFinite(content, isBigEndian, UInt64(0x7FF0) << 48)
    case (.float, _): Self.areFinite(content, isBigEndian, UInt32(0x7F80) << 16)
    default: true
    }
  }

  /// Whether no number has all bits of its exponent set.
  @inline(__always)
  private static func areFinite<Bits: FixedWidthInteger>(
    _ content: UnsafeRawBufferPointer,
    _ isBigEndian: Bool,
    _ exponent: Bits
  ) -> Bool {
    let mask = isBigEndian ? exponent.bigEndian : exponent.littleEndian
    var found: Bits = 0
    for offset in stride(from: 0, to: content.count, by: MemoryLayout<Bits>.size) {
      let bits = content.loadUnaligned(fromByteOffset: offset, as: Bits.self)
      found |= bits & mask == mask ? 1 : 0
    }
    return found == 0
  }
}
