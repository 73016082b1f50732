extension JSONWriter {
  /// Writes bytes in their one JSON form: a string if they are UTF-8, otherwise `{"base64":"…"}`.
  package mutating func byteText(_ content: UnsafeBufferPointer<UInt8>) {
    if UTF8Check.isValid(content) { return string(content) }
    beginObject()
    key("base64")
    separate()
    bytes.append(.quote)
    Base64.encode(content, into: &bytes)
    bytes.append(.quote)
    endObject()
  }

  package mutating func byteText(_ content: [UInt8]) {
    content.withUnsafeBufferPointer { byteText($0) }
  }
}
