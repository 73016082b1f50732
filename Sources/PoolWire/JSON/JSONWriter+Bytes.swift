extension JSONWriter {
  /// Writes bytes in their one JSON form: a string if they are UTF-8, otherwise `{"base64":"…"}`.
  package mutating func byteText(_ content: UnsafeBufferPointer<UInt8>) {
    if UTF8Check.isValid(content) { return string(content) }
    beginObject()
    key("base64")
    base64(UnsafeRawBufferPointer(content))
    endObject()
  }

  /// Writes bytes as a string of base64.
  mutating func base64(_ content: UnsafeRawBufferPointer) {
    separate()
    bytes.append(.quote)
    bytes.reserveCapacity(bytes.count + (content.count + 2) / 3 * 4)
    base64Characters(content)
    bytes.append(.quote)
  }

  /// Writes bytes in base64, as a part of a string.
  mutating func base64Characters(_ content: UnsafeRawBufferPointer) {
    content.withMemoryRebound(to: UInt8.self) { Base64.encode($0, into: &bytes) }
  }

  package mutating func byteText(_ content: [UInt8]) {
    content.withUnsafeBufferPointer { byteText($0) }
  }
}
