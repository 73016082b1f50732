extension FrameDecoder {
  /// The next whole message of a worker, or nil when more bytes are needed.
  ///
  /// Here, and not where it is called, because a generic function is as fast as any other only in its
  /// own module.
  package mutating func nextWorkerMessage() throws(Violation) -> WorkerMessage? {
    try next { bytes throws(Violation) in try WorkerMessage(body: bytes) }
  }
}
