extension JSONWriter {
  /// Starts a frame: reserves its length and opens its object.
  package mutating func beginFrame() -> Int {
    let start = bytes.count
    append("\0\0\0\0{")
    endPart()
    return start
  }

  /// Ends the frame that began at that offset: closes its object, ends the line, sets its length.
  package mutating func endFrame(_ start: Int) {
    append("}\n")
    endPart()
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
