package import PoolWire

/// Distinguishes a run from all others; the same in each resumed run, because the journal stores
/// it.
package struct RunIdentifier: Hashable, Sendable {
  /// 128 random bits.
  private let high, low: UInt64

  /// Makes a random one.
  package init() {
    high = .random(in: 0...UInt64.max)
    low = .random(in: 0...UInt64.max)
  }

  /// Takes 32 hexadecimal digits in lower case; nil for other text.
  init?(hex: [UInt8]) {
    guard let high = Hexadecimal.number(hex.prefix(16)),
      let low = Hexadecimal.number(hex.dropFirst(16))
    else { return nil }
    (self.high, self.low) = (high, low)
    guard self.hex == hex else { return nil }
  }

  /// 32 hexadecimal digits in lower case.
  package var hex: [UInt8] { key(ofOperation: 0) }

  /// The idempotency key of an operation identified by its content: 32 hexadecimal digits, the same
  /// in each attempt and in each resumed run, and different in any other run.
  package func key(of content: ContentDigest) -> [UInt8] {
    Array(SHA256.digest(of: hex + Array("content".utf8) + content.hex).hex.prefix(32))
  }

  /// The idempotency key of a group, by its name.
  package func key(ofGroup name: [UInt8]) -> [UInt8] {
    key(of: SHA256.digest(of: Array("group ".utf8) + name))
  }

  /// The idempotency key of an operation identified by its number, for a run without a journal: 32
  /// hexadecimal digits, different in any other run because the run's own bits are random.
  package func key(ofOperation number: Int) -> [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(32)
    Hexadecimal.append(high, to: &key)
    Hexadecimal.append(low ^ UInt64(number), to: &key)
    return key
  }
}
