extension FrameDecoder {
  /// Takes all complete messages of a worker, and passes each to the closure.
  ///
  /// It is in this module because a generic function is specialised only within its own module.
  package mutating func takeWorkerMessages(
    _ body: (consuming WorkerMessage) -> Void
  ) throws(Violation) {
    while let range = try nextRange() {
      head = range.upperBound
      if hasBlock {
        body(try workerMessageBehindBlock(range))
        continue
      }
      let message = try buffer.withUnsafeBufferPointer { bytes throws(Violation) in
        try WorkerMessage(body: UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[range])))
      }
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
      if hasBlock {
        operations.append(try executeBehindBlock(range))
        continue
      }
      let message = try buffer.withUnsafeBufferPointer {
        bytes throws(Violation) -> CoordinatorMessage? in
        let body = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[range]))
        if let operation = Execute(canonical: body, &middle) {
          operations.append(operation)
          return CoordinatorMessage?.none
        }
        return try CoordinatorMessage(answerable: body)
      }
      switch message {
      case .execute(let operation): operations.append(operation)
      case .some(let message): return message
      case nil: break
      }
    }
    return nil
  }

  /// Separate from the loops above, because few messages have blocks.
  @inline(never)
  private mutating func workerMessageBehindBlock(
    _ range: Range<Int>
  ) throws(Violation) -> WorkerMessage {
    let block = takeBlock()
    return try buffer.withUnsafeBufferPointer { bytes throws(Violation) in
      let body = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[range]))
      return try WorkerMessage(scanning: body, block: block)
    }
  }

  /// Only `execute` may have a block.
  @inline(never)
  private mutating func executeBehindBlock(_ range: Range<Int>) throws(Violation) -> Execute {
    let block = takeBlock()
    let message = try buffer.withUnsafeBufferPointer { bytes throws(Violation) in
      let body = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[range]))
      return try CoordinatorMessage(answerable: body, block: block)
    }
    guard case .execute(let operation) = message else {
      throw .unexpected("a block that no 'execute' names")
    }
    return operation
  }
}
