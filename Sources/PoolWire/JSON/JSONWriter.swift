import PoolModel

/// Appends JSON, and frames of it, to one growing buffer.
///
/// The writer adds commas and escapes strings; the caller must nest the calls as JSON nests.
package struct JSONWriter {
  /// The text so far.
  package internal(set) var bytes: [UInt8] = []

  private var needsComma = false

  /// Packed values, which are sent between two frames without a copy; with the offset of the text
  /// after each.
  package internal(set) var attachments: [Attachment] = []

  /// Bytes between two frames.
  package struct Attachment {
    var offset: Int
    var header: [UInt8]
    var content: [UInt8]
  }

  /// The middle of the last `execute`.
  var middle = ExecuteMiddle()

  /// Starts empty, with memory for that many bytes.
  package init(capacity: Int = 0) {
    if capacity > 0 { bytes.reserveCapacity(capacity) }
  }

  /// Removes the text and keeps the memory.
  package mutating func removeAll() {
    // A large answer is no reason to keep so much memory.
    bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 20)
    if !attachments.isEmpty { attachments = [] }
    needsComma = false
  }

  /// Appends a piece of JSON text that has its own commas.
  mutating func append(_ text: ArraySlice<UInt8>) {
    bytes.append(contentsOf: text)
  }

  /// Appends a piece that has its own commas, of memory that is borrowed.
  mutating func append(_ text: UnsafeRawBufferPointer) {
    bytes.append(contentsOf: text)
  }

  /// Appends a byte of a text that has its own commas.
  mutating func append(_ byte: UInt8) {
    bytes.append(byte)
  }

  /// Ends a value that such a piece continues.
  mutating func endPart() {
    needsComma = false
  }
}

// MARK: - Structure

extension JSONWriter {
  package mutating func beginObject() { open(.openBrace) }
  package mutating func endObject() { close(.closeBrace) }
  package mutating func beginArray() { open(.openBracket) }
  package mutating func endArray() { close(.closeBracket) }

  /// Writes a key; its value must follow.
  @inline(__always)
  package mutating func key(_ key: StaticString) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: key.utf8CodeUnitCount + 4) { buffer in
      var text = ReverseJSONWriter(buffer)
      text.prepend(.colon)
      text.prepend(quoted: key)
      append(text)
    }
    needsComma = false
  }

  /// Writes a key that is not known at compile time; its value must follow.
  package mutating func key(_ key: [UInt8]) {
    key.withUnsafeBufferPointer { string($0, isKey: true) }
    needsComma = false
  }

  mutating func key(_ key: String) {
    var key = key
    key.withUTF8 { string($0, isKey: true) }
    needsComma = false
  }

  /// Ends a line between separate JSON texts.
  package mutating func endLine() {
    bytes.append(.newline)
    needsComma = false
  }

  @inline(__always)
  mutating func separate() {
    if needsComma { bytes.append(.comma) }
    needsComma = true
  }

  private mutating func open(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func close(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  /// Appends a value, or a field, with its comma.
  @inline(__always)
  mutating func append(_ text: consuming ReverseJSONWriter) {
    if needsComma { text.prepend(.comma) }
    bytes.append(contentsOf: text.content)
    needsComma = true
  }

  @inline(__always)
  mutating func append(_ text: StaticString) {
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    )
  }
}

// MARK: - Values

extension JSONWriter {
  package mutating func null() {
    separate()
    append("null")
  }

  package mutating func bool(_ value: Bool) {
    separate()
    append(value ? "true" : "false")
  }

  package mutating func integer(_ value: some FixedWidthInteger) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 24) { buffer in
      var text = ReverseJSONWriter(buffer)
      text.prepend(number: value)
      append(text)
    }
  }

  /// Writes a key and its number: one append is faster than two.
  @inline(__always)
  package mutating func field(_ name: StaticString, _ value: some FixedWidthInteger) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: name.utf8CodeUnitCount + 27) { buffer in
      var text = ReverseJSONWriter(buffer)
      text.prepend(number: value)
      text.prepend(.colon)
      text.prepend(quoted: name)
      append(text)
    }
  }

  /// Writes a key and its text, which needs no escapes.
  @inline(__always)
  package mutating func field(_ name: StaticString, _ value: StaticString) {
    let count = name.utf8CodeUnitCount + value.utf8CodeUnitCount
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count + 6) { buffer in
      var text = ReverseJSONWriter(buffer)
      text.prepend(quoted: value)
      text.prepend(.colon)
      text.prepend(quoted: name)
      append(text)
    }
  }

  /// Writes a number of seconds with microseconds.
  package mutating func seconds(_ nanoseconds: Int64) {
    separate()
    let micros = (nanoseconds / 1_000).magnitude
    let fraction = String(micros % 1_000_000)
    if nanoseconds < 0, micros > 0 { bytes.append(.minus) }
    bytes.append(contentsOf: String(micros / 1_000_000).utf8)
    bytes.append(UInt8(ascii: "."))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: 6 - fraction.utf8.count))
    bytes.append(contentsOf: fraction.utf8)
  }

  /// Writes a value that is checked JSON already.
  package mutating func raw(_ json: some Collection<UInt8>) {
    separate()
    bytes.append(contentsOf: json)
  }
}
