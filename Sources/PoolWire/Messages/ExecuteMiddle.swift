/// What stands between the reference and the payload of an `execute` that has nothing but what each
/// one has.
///
/// It is kept for the next one, because operations come in batches of one kind: so it is written,
/// or read, as a whole, and its kind is looked through once.
struct ExecuteMiddle {
  private(set) var attempt = 0
  private(set) var kind = ""
  /// Empty where there was none yet.
  private(set) var bytes: [UInt8] = []

  init() {}

  /// Keeps one that was read, in the same memory; false where that is too long to be kept.
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
