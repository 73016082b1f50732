/// Distinguishes a run from all others; the same in each resumed run, because the journal stores
/// it.
package struct RunIdentifier: Hashable, Sendable {
  /// 32 hexadecimal digits in lower case: 128 random bits.
  let hex: [UInt8]

  /// Makes a random one.
  package init() {
    let digits = Array("0123456789abcdef".utf8)
    hex = (0..<32).map { _ in digits[Int.random(in: 0..<16)] }
  }

  /// Takes 32 hexadecimal digits in lower case; nil for other text.
  init?(hex: [UInt8]) {
    guard hex.count == 32, ContentDigest(hex: hex + hex) != nil else { return nil }
    self.hex = hex
  }

  /// The idempotency key of an operation identified by its content: 32 hexadecimal digits, the same
  /// in each attempt and in each resumed run, and different in any other run.
  package func key(of content: ContentDigest) -> [UInt8] { key("content", content.hex) }

  /// The idempotency key of an operation identified by its number, for a run without a journal.
  package func key(ofOperation number: Int) -> [UInt8] { key("number", Array("\(number)".utf8)) }

  private func key(_ subject: String, _ identity: [UInt8]) -> [UInt8] {
    Array(SHA256.digest(of: hex + Array(subject.utf8) + identity).hex.prefix(32))
  }
}
