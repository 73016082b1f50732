extension FrameDecoder {
  /// Takes all complete messages of a worker, and passes each to the closure.
  ///
  /// It is in this module because a generic function is specialised only within its own module.
  package mutating func takeWorkerMessages(
    _ body: (consuming WorkerMessage) -> Void
  ) throws(Violation) {
    while let range = try nextRange() {
      head = range.upperBound
      if hasAttachment {
        body(try workerMessageBehindAttachment(range))
        continue
      }
      let message = try buffer.withUnsafeBufferPointer { bytes throws(Violation) in
        let body = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[range]))
        if let message = WorkerMessage(canonical: body) { return message }
        return try WorkerMessage(scanning: Self.line(body))
      }
      if range.count > Self.usualCount { releaseIfEmpty() }
      body(message)
    }
  }

  /// Takes the next complete message of a coordinator; nil if more bytes are needed.
  ///
  /// Operations before it, or at the end, are appended to the list.
  ///
  /// It is in this module for the same reason.
  package mutating func nextCoordinatorMessage(
    after operations: inout [Execute]
  ) throws(Violation) -> CoordinatorMessage? {
    while let range = try nextRange() {
      head = range.upperBound
      if hasAttachment {
        operations.append(try executeBehindAttachment(range))
        continue
      }
      let message = try buffer.withUnsafeBufferPointer {
        bytes throws(Violation) -> CoordinatorMessage? in
        let body = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[range]))
        if let operation = Execute(canonical: body, &middle) {
          operations.append(operation)
          return CoordinatorMessage?.none
        }
        return try CoordinatorMessage(answerable: Self.line(body))
      }
      switch message {
      case .execute(let operation): operations.append(operation)
      case .some(let message): return message
      case nil: break
      }
    }
    return nil
  }

  /// A body, which must be a whole line; the usual form of messages implies it.
  private static func line(
    _ body: UnsafeRawBufferPointer
  ) throws(Violation) -> UnsafeRawBufferPointer {
    guard body.last == UInt8(ascii: "\n") else { throw .noLineFeed }
    return body
  }

  /// Separate from the loops above, because few messages have attachments.
  @inline(never)
  private mutating func workerMessageBehindAttachment(
    _ range: Range<Int>
  ) throws(Violation) -> WorkerMessage {
    let attachment = takeAttachment()
    return try buffer.withUnsafeBufferPointer { bytes throws(Violation) in
      let body = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[range]))
      return try WorkerMessage(scanning: Self.line(body), attachment: attachment)
    }
  }

  /// Only `execute` may have an attachment.
  @inline(never)
  private mutating func executeBehindAttachment(_ range: Range<Int>) throws(Violation) -> Execute {
    let attachment = takeAttachment()
    let message = try buffer.withUnsafeBufferPointer { bytes throws(Violation) in
      let body = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[range]))
      return try CoordinatorMessage(answerable: Self.line(body), attachment: attachment)
    }
    guard case .execute(let operation) = message else {
      throw .unexpected("an attachment that no 'execute' names")
    }
    return operation
  }
}
