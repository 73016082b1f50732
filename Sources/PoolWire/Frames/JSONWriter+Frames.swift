package import PoolModel

// The three most common messages in their usual form. The whole frame is built from its end and
// appended at once.

extension JSONWriter {
  /// The largest payload or result for which building from the end is faster: a larger one should
  /// not be copied twice.
  package static let usualLimit = 4 << 10

  /// Appends an `execute` with only the required fields; false if it is too long.
  package mutating func frame(
    execute reference: DispatchReference,
    attempt: Int,
    kind: String,
    payload: [UInt8]
  ) -> Bool {
    guard payload.count <= Self.usualLimit, setMiddle(attempt, kind) else { return false }
    let room = ReverseJSONWriter.room + middle.bytes.count + payload.count
    Self.append(room: room, to: &bytes) { text in
      text.prepend(frame: "execute", reference) { text in
        payload.withUnsafeBufferPointer { text.prepend($0) }
        middle.bytes.withUnsafeBufferPointer { text.prepend($0) }
      }
    }
    return true
  }

  /// Appends an `execute` with the required fields and variables; false if it is too long.
  ///
  /// Separate, because the one above is on the hot path of operations that are no commands.
  mutating func frame(
    execute reference: DispatchReference,
    attempt: Int,
    kind: String,
    payload: [UInt8],
    variables: ExecutionVariables
  ) -> Bool {
    let count = payload.count + variables.byteCount
    guard count <= Self.usualLimit, setMiddle(attempt, kind) else { return false }
    let room = ReverseJSONWriter.room + middle.bytes.count + count
    Self.append(room: room, to: &bytes) { text in
      text.prepend(frame: "execute", reference) { text in
        variables.json.withUnsafeBufferPointer { text.prepend($0) }
        text.prepend(",\"variables\":")
        payload.withUnsafeBufferPointer { text.prepend($0) }
        middle.bytes.withUnsafeBufferPointer { text.prepend($0) }
      }
    }
    return true
  }

  /// Makes the middle of an `execute`, unless the last one had the same; false if it is too long.
  @inline(__always)
  private mutating func setMiddle(_ attempt: Int, _ kind: String) -> Bool {
    if middle.isMade(of: attempt, kind) { return true }
    guard let other = ExecuteMiddle(attempt, kind) else { return false }
    middle = other
    return true
  }

  /// Appends an `executing` without a process.
  package mutating func frame(executing reference: DispatchReference) {
    Self.append(room: ReverseJSONWriter.room, to: &bytes) { text in
      text.prepend(frame: "executing", reference) { _ in }
    }
  }

  /// Appends a `finished` with only a result; false if it is too long.
  package mutating func frame(finished reference: DispatchReference, result: [UInt8]) -> Bool {
    guard result.count <= Self.usualLimit else { return false }
    Self.append(room: ReverseJSONWriter.room + result.count, to: &bytes) { text in
      text.prepend(finished: reference, result: result)
    }
    return true
  }

  /// Appends both, for a worker that ends one operation and begins the next: one append is faster
  /// than two.
  package mutating func frames(
    finished reference: DispatchReference,
    result: [UInt8],
    executing next: DispatchReference
  ) -> Bool {
    guard result.count <= Self.usualLimit else { return false }
    Self.append(room: 2 * ReverseJSONWriter.room + result.count, to: &bytes) { text in
      text.prepend(frame: "executing", next) { _ in }
      text.prepend(finished: reference, result: result)
    }
    return true
  }

  /// Appends a text of at most `room` bytes that is built from its end.
  ///
  /// Static, so that the closure can use other fields of the writer without counting a reference.
  @inline(__always)
  private static func append(
    room: Int,
    to bytes: inout [UInt8],
    _ body: (inout ReverseJSONWriter) -> Void
  ) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room) { buffer in
      var text = ReverseJSONWriter(buffer)
      body(&text)
      bytes.append(contentsOf: text.content)
    }
  }
}

extension ReverseJSONWriter {
  @inline(__always)
  fileprivate mutating func prepend(finished reference: DispatchReference, result: [UInt8]) {
    prepend(frame: "finished", reference) { text in
      result.withUnsafeBufferPointer { text.prepend($0) }
      text.prepend(",\"result\":")
    }
  }
}
