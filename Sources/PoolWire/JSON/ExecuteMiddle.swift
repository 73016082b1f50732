/// The text between the reference and the payload of an `execute` with only the common fields.
///
/// It is kept for the next one, because operations come in batches of one kind: so it is written or
/// read as a whole, and its kind is scanned once.
struct ExecuteMiddle {
  private(set) var attempt = 0
  private(set) var kind = ""
  /// Empty before the first one.
  private(set) var bytes: [UInt8] = []

  init() {}

  /// Stores the middle that was read, in the same memory; false if it is too long.
  mutating func keep(
    _ attempt: Int,
    _ kind: String,
    from text: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard text.count <= JSONWriter.usualLimit else { return false }
    (self.attempt, self.kind) = (attempt, kind)
    bytes.removeAll(keepingCapacity: true)
    bytes.append(contentsOf: text)
    return true
  }

  /// Makes it; nil if the kind is too long, or needs escapes.
  init?(_ attempt: Int, _ kind: String) {
    guard kind.utf8.count <= JSONWriter.usualLimit, kind.utf8.allSatisfy(\.needsNoEscape) else {
      return nil
    }
    (self.attempt, self.kind) = (attempt, kind)
    bytes = Array(",\"attempt\":\(attempt),\"kind\":\"\(kind)\",\"payload\":".utf8)
  }

  /// Whether it is the middle for these values.
  func isMade(of attempt: Int, _ kind: String) -> Bool {
    attempt == self.attempt && kind == self.kind
  }
}

extension UInt8 {
  /// Whether the byte needs no escape in a string.
  fileprivate var needsNoEscape: Bool { self >= 0x20 && self != .quote && self != .backslash }
}
