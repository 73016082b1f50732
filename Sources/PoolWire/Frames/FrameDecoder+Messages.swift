extension FrameDecoder {
  /// Takes all complete messages of a worker, and passes each to the closure.
  ///
  /// It is in this module because a generic function is specialised only within its own module.
  package mutating func takeWorkerMessages(
    _ body: (consuming WorkerMessage) -> Void
  ) throws(Violation) {
    while let range = try nextRange() {
      head = range.upperBound
      let block = takeBlock()
      let message = try buffer.withUnsafeBufferPointer { bytes throws(Violation) in
        let body = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[range]))
        guard let block else { return try WorkerMessage(body: body) }
        return try WorkerMessage(scanning: body, block: block)
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
      let block = takeBlock()
      let message = try buffer.withUnsafeBufferPointer {
        bytes throws(Violation) -> CoordinatorMessage? in
        let body = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[range]))
        if let block { return try CoordinatorMessage(scanning: body, block: block) }
        if let operation = Execute(canonical: body, &middle) {
          operations.append(operation)
          return CoordinatorMessage?.none
        }
        do throws(Violation) {
          return try CoordinatorMessage(scanning: body)
        } catch {
          guard let operation = Execute(flawed: body, error) else { throw error }
          return .execute(operation)
        }
      }
      switch message {
      case .execute(let operation): operations.append(operation)
      case .some(let message): return message
      case nil: break
      }
    }
    return nil
  }
}
