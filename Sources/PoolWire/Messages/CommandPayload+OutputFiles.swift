extension CommandPayload {
  /// The files that the outputs of a command go into, relative to its working directory; nil for
  /// an output that the answer has.
  package struct OutputFiles: Hashable, Sendable {
    package var output: [UInt8]?
    package var error: [UInt8]?

    package static let none = Self()

    package init(output: [UInt8]? = nil, error: [UInt8]? = nil) {
      (self.output, self.error) = (output, error)
    }
  }
}

extension JSONWriter {
  /// Appends the destination of an output, `{"file":…}`, if it is a file.
  mutating func outputFile(_ path: [UInt8]?, at field: CommandPayload.Field) {
    guard let path else { return }
    key(field)
    beginObject()
    key("file")
    byteText(path)
    endObject()
  }
}

extension JSONScanner {
  /// Consumes the destination of an output, `{"file":…}`; returns its path.
  mutating func outputFile() throws(JSONError) -> [UInt8] {
    let start = position
    var path: [UInt8]?
    var isFirst = true
    try beginObject()
    while let key = try nextField(&isFirst) {
      if matches(key, "file") { path = try byteText() } else { _ = try skipValue() }
    }
    guard let path, !path.isEmpty else { throw JSONError(.expected("a 'file'"), at: start) }
    return path
  }
}
