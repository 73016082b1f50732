/// What stands between the reference and the payload of an `execute` that has nothing but what each
/// one has.
///
/// It is kept for the next one, because operations come in batches of one kind: so it is written, or read,
/// as a whole, and its kind is looked through once.
struct ExecuteMiddle {
  private(set) var attempt = 0
  private(set) var kind = ""
  /// Empty where there was none yet.
  private(set) var bytes: [UInt8] = []

  init() {}

  /// Keeps one that was read.
  init(_ attempt: Int, _ kind: String, from text: UnsafeBufferPointer<UInt8>) {
    (self.attempt, self.kind) = (attempt, kind)
    bytes = Array(text)
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
