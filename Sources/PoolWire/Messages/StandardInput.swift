extension CommandPayload {
  /// The standard input of a command.
  package enum StandardInput: Hashable, Sendable {
    /// These bytes; the array may be empty.
    case bytes([UInt8])
    /// A file of the worker's machine, or a part of one.
    case file(FilePart)

    /// Nothing.
    package static let none = Self.bytes([])
  }
}

/// A regular file, or a part of one.
package struct FilePart: Hashable, Sendable {
  /// Its absolute path, in the system's encoding.
  package var path: [UInt8]
  /// The offsets of the part; nil for the whole file.
  package var range: Range<Int64>?

  package init(path: [UInt8], range: Range<Int64>? = nil) {
    self.path = path
    self.range = range
  }
}

extension JSONWriter {
  /// Appends a standard input: a byte text, or `{"file":…}`.
  mutating func standardInput(_ input: CommandPayload.StandardInput) {
    switch input {
    case .bytes(let bytes):
      byteText(bytes)
    case .file(let part):
      beginObject()
      key("file")
      byteText(part.path)
      if let range = part.range {
        key("offset")
        integer(range.lowerBound)
        key("bytes")
        integer(range.upperBound - range.lowerBound)
      }
      endObject()
    }
  }
}

extension JSONScanner {
  /// Consumes a standard input: a byte text, or `{"file":…}`.
  mutating func standardInput() throws(JSONError) -> CommandPayload.StandardInput {
    guard try token() == .object else { return .bytes(try byteText()) }
    var ahead = self
    var isFirst = true
    try ahead.beginObject()
    guard let key = try ahead.nextKey(&isFirst), !ahead.matches(key, "base64") else {
      return .bytes(try byteText())
    }
    return .file(try filePart())
  }

  private mutating func filePart() throws(JSONError) -> FilePart {
    let start = position
    var path: [UInt8]?
    var (offset, count): (Int64?, Int64?)
    var isFirst = true
    try beginObject()
    while let key = try nextField(&isFirst) {
      if matches(key, "file") {
        path = try byteText()
      } else if matches(key, "offset") {
        offset = try integer()
      } else if matches(key, "bytes") {
        count = try integer()
      } else {
        _ = try skipValue()
      }
    }
    guard let path else { throw JSONError(.expected("a text or a 'file'"), at: start) }
    guard offset != nil || count != nil else { return FilePart(path: path) }
    guard let offset, let count, offset >= 0, count >= 0,
      case (let end, false) = offset.addingReportingOverflow(count)
    else { throw JSONError(.expected("an 'offset' and 'bytes'"), at: start) }
    return FilePart(path: path, range: offset..<end)
  }
}
