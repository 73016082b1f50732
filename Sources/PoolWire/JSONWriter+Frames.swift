package import PoolModel

// The three messages that nearly all of the traffic consists of, in their usual form: a whole frame
// is put together from its end, and appended at once.

extension JSONWriter {
  /// The largest payload, or result, for which that is worth while: more is better not copied twice.
  package static let usualLimit = 4 << 10

  /// Appends an `execute` that has nothing but what each one has; false where it cannot be so short.
  package mutating func frame(
    execute reference: DispatchReference,
    attempt: Int,
    kind: String,
    payload: [UInt8]
  ) -> Bool {
    guard payload.count <= Self.usualLimit else { return false }
    if !middle.isMade(of: attempt, kind) {
      guard let other = ExecuteMiddle(attempt, kind) else { return false }
      middle = other
    }
    let room = middle.bytes.count + payload.count
    Self.frame("execute", reference, room: room, to: &bytes) { text in
      payload.withUnsafeBufferPointer { text.prepend($0) }
      middle.bytes.withUnsafeBufferPointer { text.prepend($0) }
    }
    return true
  }

  /// Appends an `executing` without a process.
  package mutating func frame(executing reference: DispatchReference) {
    Self.frame("executing", reference, room: 0, to: &bytes) { _ in }
  }

  /// Appends a `finished` with a result and nothing else; false where it cannot be so short.
  package mutating func frame(finished reference: DispatchReference, result: [UInt8]) -> Bool {
    guard result.count <= Self.usualLimit else { return false }
    Self.frame("finished", reference, room: result.count + 16, to: &bytes) { text in
      result.withUnsafeBufferPointer { text.prepend($0) }
      text.prepend(",\"result\":")
    }
    return true
  }

  /// Static, so that the rest may come from other fields of the writer without a reference of its own.
  @inline(__always)
  private static func frame(
    _ type: StaticString,
    _ reference: DispatchReference,
    room: Int,
    to bytes: inout [UInt8],
    _ rest: (inout BackwardText) -> Void
  ) {
    let capacity = BackwardText.room + type.utf8CodeUnitCount + room
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { buffer in
      var text = BackwardText(buffer)
      text.prepend("}\n")
      rest(&text)
      text.prepend(header: type, reference)
      text.prependFrameStart()
      bytes.append(contentsOf: text.content)
    }
  }
}

/// What stands between the reference and the payload of an `execute` that has nothing but what each
/// one has.
///
/// It is kept for the next one, because operations come in batches of one kind: so it is copied as a
/// whole, and its kind is looked through once.
struct ExecuteMiddle {
  private var attempt = 0
  private var kind = ""
  private(set) var bytes: [UInt8] = []

  init() {}

  /// Makes it; nil where the kind is too long, or cannot be written as it is.
  init?(_ attempt: Int, _ kind: String) {
    guard kind.utf8.count <= JSONWriter.usualLimit, kind.utf8.allSatisfy(\.needsNoEscape) else {
      return nil
    }
    (self.attempt, self.kind) = (attempt, kind)
    bytes = Array(",\"attempt\":\(attempt),\"kind\":\"\(kind)\",\"payload\":".utf8)
  }

  /// Whether it is what would be made of these.
  func isMade(of attempt: Int, _ kind: String) -> Bool {
    attempt == self.attempt && kind == self.kind
  }
}

extension UInt8 {
  /// Whether it stands for itself in a string.
  fileprivate var needsNoEscape: Bool { self >= 0x20 && self != .quote && self != .backslash }
}
