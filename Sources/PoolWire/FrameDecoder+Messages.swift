extension FrameDecoder {
  /// Takes all whole messages of a worker, and hands each to the closure.
  ///
  /// Here, and not where it is called, because a generic function is as fast as any other only in its
  /// own module.
  package mutating func takeWorkerMessages(
    _ body: (consuming WorkerMessage) -> Void
  ) throws(Violation) {
    while let range = try nextRange() {
      head = range.upperBound
      let message = try buffer.withUnsafeBufferPointer { bytes throws(Violation) in
        try WorkerMessage(body: UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[range])))
      }
      body(message)
    }
  }

  /// The next whole message of a coordinator, or nil when more bytes are needed.
  ///
  /// Here for the same reason.
  package mutating func nextCoordinatorMessage() throws(Violation) -> CoordinatorMessage? {
    try next { body throws(Violation) in try CoordinatorMessage(body: body) }
  }
}
