extension PackedValue {
  /// The JSON of a value that may be packed; throws if the packed value is wrong.
  package static func json(_ bytes: [UInt8]) throws(PackedError) -> [UInt8] {
    guard isPacked(bytes) else { return bytes }
    try check(bytes)
    return try PackedValue(bytes).json
  }

  /// Passes the JSON of a value that may be packed to the closure, in pieces of about 64 KiB: the
  /// whole text of a packed value is never in memory.
  ///
  /// - Precondition: The value was checked, as results are when they are received.
  package static func forEachPiece<Thrown: Error>(
    ofJSON bytes: [UInt8],
    _ body: (UnsafeRawBufferPointer) throws(Thrown) -> Void
  ) throws(Thrown) {
    guard isPacked(bytes) else { return try forEachPiece(of: bytes, 0..<bytes.count, body) }
    guard let value = try? PackedValue(bytes) else {
      preconditionFailure("a packed value was checked before its JSON is read")
    }
    var writer = JSONWriter(capacity: pieceSize * 2)
    try value.write(to: &writer) { writer throws(Thrown) in
      guard writer.bytes.count >= pieceSize else { return }
      try forEachPiece(of: writer.bytes, 0..<writer.bytes.count, body)
      writer.removeAll()
    }
    try forEachPiece(of: writer.bytes, 0..<writer.bytes.count, body)
  }

  /// Number of bytes of JSON that are passed on at once: 64 KiB.
  private static let pieceSize = 64 << 10

  /// Passes a range of the bytes to the closure, in pieces.
  private static func forEachPiece<Thrown: Error>(
    of bytes: [UInt8],
    _ range: Range<Int>,
    _ body: (UnsafeRawBufferPointer) throws(Thrown) -> Void
  ) throws(Thrown) {
    try bytes.withUnsafeBufferPointer { bytes throws(Thrown) in
      for start in stride(from: range.lowerBound, to: range.upperBound, by: pieceSize) {
        let piece = bytes[start..<min(start + pieceSize, range.upperBound)]
        try body(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: piece)))
      }
    }
  }

  /// The JSON of a packed value that has been checked.
  private var json: [UInt8] {
    var writer = JSONWriter(capacity: text.count + (bytes.count - text.upperBound) * 2)
    write(to: &writer) { _ in }
    return writer.bytes
  }

  /// Writes the JSON, and calls the closure after each piece, which may empty the writer.
  private func write<Thrown: Error>(
    to writer: inout JSONWriter,
    _ wrote: (inout JSONWriter) throws(Thrown) -> Void
  ) throws(Thrown) {
    var start = text.lowerBound
    for part in parts {
      let end = text.lowerBound + part.offset
      try append(start..<end, to: &writer, wrote)
      try withContent(of: part) { content throws(Thrown) in
        try part.type.write(content, to: &writer, wrote)
      }
      start = end + Self.placeholder.utf8CodeUnitCount
    }
    try append(start..<text.upperBound, to: &writer, wrote)
  }

  private func append<Thrown: Error>(
    _ range: Range<Int>,
    to writer: inout JSONWriter,
    _ wrote: (inout JSONWriter) throws(Thrown) -> Void
  ) throws(Thrown) {
    try Self.forEachPiece(of: bytes, range) { piece throws(Thrown) in
      writer.append(piece)
      try wrote(&writer)
    }
  }
}

extension PackedType {
  /// Number of bytes of a part that are written at once: a multiple of 3, for base64, and of 8, for
  /// numbers.
  private static let chunkSize = 12 << 10

  /// Writes the content as JSON, and calls the closure after each chunk, which may empty the
  /// writer.
  fileprivate func write<Thrown: Error>(
    _ content: UnsafeRawBufferPointer,
    to writer: inout JSONWriter,
    _ wrote: (inout JSONWriter) throws(Thrown) -> Void
  ) throws(Thrown) {
    writer.append(isNumbers ? .openBracket : .quote)
    for start in stride(from: 0, to: content.count, by: Self.chunkSize) {
      if isNumbers, start > 0 { writer.append(.comma) }
      let end = min(start + Self.chunkSize, content.count)
      write(UnsafeRawBufferPointer(rebasing: content[start..<end]), to: &writer)
      try wrote(&writer)
    }
    writer.append(isNumbers ? .closeBracket : .quote)
  }

  /// Writes a chunk, which has at least one element.
  private func write(_ chunk: UnsafeRawBufferPointer, to writer: inout JSONWriter) {
    switch (form, width) {
    case (.bytes, _): writer.base64Characters(chunk)
    case (.text, _): chunk.withMemoryRebound(to: UInt8.self) { writer.characters($0) }
    case (.unsigned, 1): write(chunk, UInt8.self, &writer)
    case (.unsigned, 2): write(chunk, UInt16.self, &writer)
    case (.unsigned, 4): write(chunk, UInt32.self, &writer)
    case (.unsigned, _): write(chunk, UInt64.self, &writer)
    case (.signed, 1): write(chunk, Int8.self, &writer)
    case (.signed, 2): write(chunk, Int16.self, &writer)
    case (.signed, 4): write(chunk, Int32.self, &writer)
    case (.signed, _): write(chunk, Int64.self, &writer)
    case (.float, 4): write(chunk, Float.self, &writer)
    case (.float, _): write(chunk, Double.self, &writer)
    }
  }

  private func write<Number: PackableNumber>(
    _ chunk: UnsafeRawBufferPointer,
    _ type: Number.Type,
    _ writer: inout JSONWriter
  ) {
    let isWritten = writer.elements(numbers(chunk) as [Number])
    precondition(isWritten, "a packed value's numbers were checked")
  }
}
