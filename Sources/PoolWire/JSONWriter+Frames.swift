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
    var kind = kind
    return kind.withUTF8 { kind in
      guard kind.count <= Self.usualLimit, kind.allSatisfy(\.needsNoEscape) else { return false }
      frame("execute", reference, room: kind.count + payload.count + 64) { text in
        payload.withUnsafeBufferPointer { text.prepend($0) }
        text.prepend(",\"payload\":")
        text.prepend(.quote)
        text.prepend(kind)
        text.prepend(",\"kind\":\"")
        text.prepend(decimal: UInt64(attempt), isNegative: false)
        text.prepend(",\"attempt\":")
      }
      return true
    }
  }

  /// Appends an `executing` without a process.
  package mutating func frame(executing reference: DispatchReference) {
    frame("executing", reference, room: 0) { _ in }
  }

  /// Appends a `finished` with a result and nothing else; false where it cannot be so short.
  package mutating func frame(finished reference: DispatchReference, result: [UInt8]) -> Bool {
    guard result.count <= Self.usualLimit else { return false }
    frame("finished", reference, room: result.count + 16) { text in
      result.withUnsafeBufferPointer { text.prepend($0) }
      text.prepend(",\"result\":")
    }
    return true
  }

  @inline(__always)
  private mutating func frame(
    _ type: StaticString,
    _ reference: DispatchReference,
    room: Int,
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

extension UInt8 {
  /// Whether it stands for itself in a string.
  fileprivate var needsNoEscape: Bool { self >= 0x20 && self != .quote && self != .backslash }
}
