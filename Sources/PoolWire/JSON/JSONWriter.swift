import PoolModel

/// Appends JSON, and frames of it, to one growing buffer.
///
/// The writer adds commas and escapes strings; the caller must nest the calls as JSON nests.
@usableFromInline
package struct JSONWriter: Sendable {
  /// The text so far.
  package internal(set) var bytes: [UInt8] = []

  private var needsComma = false

  /// Whether fields without a value are left out.
  package var omitsNulls = false

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

// MARK: - Frames

extension JSONWriter {
  /// Starts a frame: reserves its length and opens its object.
  package mutating func beginFrame() -> Int {
    let start = bytes.count
    append("\0\0\0\0{")
    needsComma = false
    return start
  }

  /// Ends the frame that began at that offset: closes its object, ends the line, sets its length.
  package mutating func endFrame(_ start: Int) {
    append("}\n")
    needsComma = false
    let count = UInt32(bytes.count - start - Frame.headerLength)
    for offset in 0..<Frame.headerLength {
      bytes[start + offset] = UInt8(truncatingIfNeeded: count >> (24 - 8 * offset))
    }
  }
}

// MARK: - Attachments

extension JSONWriter {
  /// Appends an attachment, which belongs to the frame that follows.
  mutating func attachment(_ content: [UInt8]) {
    let length = UInt32(content.count) | Frame.attachmentBit
    let header = (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) }
    attachments.append(Attachment(offset: bytes.count, header: header, content: content))
  }

  /// Number of bytes to be sent, with the attachments.
  @inline(__always)
  package var count: Int {
    attachments.isEmpty
      ? bytes.count : attachments.reduce(bytes.count) { $0 + $1.header.count + $1.content.count }
  }

  /// Passes the bytes from an offset to the closure, up to the end of the contiguous piece.
  @inline(__always)
  package func withPiece<Value>(
    from offset: Int,
    _ body: (UnsafeRawBufferPointer) -> Value
  ) -> Value {
    let (piece, start) = attachments.isEmpty ? (bytes[...], offset) : piece(from: offset)
    return piece.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[start...])) }
  }

  /// The piece that contains an offset, and the offset within the piece.
  private func piece(from offset: Int) -> (ArraySlice<UInt8>, Int) {
    var (rest, start) = (offset, 0)
    for attachment in attachments {
      for piece in [
        bytes[start..<attachment.offset], attachment.header[...], attachment.content[...],
      ] {
        if rest < piece.count { return (piece, rest) }
        rest -= piece.count
      }
      start = attachment.offset
    }
    return (bytes[start...], rest)
  }

  /// Drops bytes that were sent, if there are enough; returns their number.
  ///
  /// Without this, the text would grow without end if the reader never quite catches up.
  package mutating func drop(sent: Int) -> Int {
    var (dropped, text) = (0, 0)
    while let attachment = attachments.first {
      let end =
        dropped + attachment.offset - text + attachment.header.count + attachment.content.count
      guard end <= sent else { break }
      (dropped, text) = (end, attachment.offset)
      attachments.removeFirst()
    }
    if attachments.isEmpty, sent - dropped > 1 << 20, sent - dropped > (bytes.count - text) / 2 {
      text += sent - dropped
      dropped = sent
    }
    guard text > 0 else { return dropped }
    bytes.removeFirst(text)
    for index in attachments.indices { attachments[index].offset -= text }
    return dropped
  }

  /// All bytes in one array.
  package var joined: [UInt8] {
    var (joined, start) = ([UInt8](), 0)
    for attachment in attachments {
      joined += bytes[start..<attachment.offset] + attachment.header + attachment.content
      start = attachment.offset
    }
    return joined + bytes[start...]
  }
}

// MARK: - Structure

extension JSONWriter {
  @usableFromInline package mutating func beginObject() { open(.openBrace) }
  @usableFromInline package mutating func endObject() { close(.closeBrace) }
  @usableFromInline package mutating func beginArray() { open(.openBracket) }
  @usableFromInline package mutating func endArray() { close(.closeBracket) }

  /// Writes a key; its value must follow.
  @inline(__always)
  @usableFromInline package mutating func key(_ key: StaticString) {
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
  private mutating func append(_ text: StaticString) {
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

  /// Writes a key and `null`, unless these are left out.
  @usableFromInline package mutating func nullField(_ name: StaticString) {
    if omitsNulls { return }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: name.utf8CodeUnitCount + 8) { buffer in
      var text = ReverseJSONWriter(buffer)
      text.prepend("null")
      text.prepend(.colon)
      text.prepend(quoted: name)
      append(text)
    }
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
  @_specialize(where Number == Int)
  @_specialize(where Number == Int32)
  @_specialize(where Number == Int64)
  @_specialize(where Number == UInt32)
  @_specialize(where Number == UInt64)
  package mutating func field<Number: FixedWidthInteger>(_ name: StaticString, _ value: Number) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: name.utf8CodeUnitCount + 27) { buffer in
      var text = ReverseJSONWriter(buffer)
      text.prepend(number: value)
      text.prepend(.colon)
      text.prepend(quoted: name)
      append(text)
    }
  }

  /// Writes the fields that begin every message about an operation.
  ///
  /// The messages of the hot path have few others, so one append for three fields is faster.
  @inline(__always)
  mutating func header(_ type: StaticString, _ reference: DispatchReference) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: type.utf8CodeUnitCount + 80) { buffer in
      var text = ReverseJSONWriter(buffer)
      text.prepend(header: type, reference)
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

  /// Writes a key and its text, which needs no escapes, in one append.
  package mutating func field(_ name: StaticString, plain value: [UInt8]) {
    let count = name.utf8CodeUnitCount + value.count
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count + 6) { buffer in
      var text = ReverseJSONWriter(buffer)
      text.prepend(.quote)
      value.withUnsafeBufferPointer { text.prepend($0) }
      text.prepend(.quote)
      text.prepend(.colon)
      text.prepend(quoted: name)
      append(text)
    }
  }

  /// Writes a number of seconds with microseconds.
  package mutating func seconds(_ nanoseconds: Int64) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 28) { buffer in
      var text = ReverseJSONWriter(buffer)
      text.prepend(seconds: nanoseconds)
      append(text)
    }
  }

  /// Writes a key and its number of seconds.
  package mutating func field(_ name: StaticString, seconds nanoseconds: Int64) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: name.utf8CodeUnitCount + 31) { buffer in
      var text = ReverseJSONWriter(buffer)
      text.prepend(seconds: nanoseconds)
      text.prepend(.colon)
      text.prepend(quoted: name)
      append(text)
    }
  }

  /// Writes a key, and its number of seconds or `null`.
  package mutating func optional(_ name: StaticString, seconds nanoseconds: Int64?) {
    if let nanoseconds { field(name, seconds: nanoseconds) } else { nullField(name) }
  }

  /// Writes a value that is checked JSON already.
  package mutating func raw(_ json: some Collection<UInt8>) {
    separate()
    bytes.append(contentsOf: json)
  }
}
