import PoolJournal
import PoolModel

/// A journal of two owners as a run would leave it, small enough to try every byte of it.
struct SampleJournal {
  private(set) var bytes: [UInt8]
  private(set) var records: [JournalRecord] = []
  /// Where each record begins, and at last where the journal ends.
  private(set) var boundaries: [Int] = []

  init() {
    var text = JournalBytes.withHeader
    for record in Self.facts {
      boundaries.append(text.bytes.count)
      text.append(record)
      records.append(record)
    }
    bytes = text.bytes
    boundaries.append(bytes.count)
  }

  /// The key that stands for a name.
  static func key(_ name: String) -> ContentDigest {
    SHA256.digest(of: Array(name.utf8))
  }

  static func opened(_ epoch: UInt64) -> JournalRecord {
    .opened(JournalOpening(epoch: epoch, processID: 7, time: 1_700_000_000_123, keyVersion: 2))
  }

  static func settled(
    _ name: String,
    _ epoch: UInt64,
    _ ending: PoolEnding = .succeeded
  ) -> JournalRecord {
    .settled(JournalSettlement(epoch: epoch, key: key(name), id: Array(name.utf8), ending: ending))
  }

  private static var facts: [JournalRecord] {
    var failed = JournalSettlement(
      epoch: 1,
      key: key("b"),
      id: Array("b\n\"é".utf8),
      ending: .failed
    )
    failed.cause = "exit"
    failed.exit = 3
    failed.attempt = 2
    failed.message = "exit code 3"
    failed.usage = PoolResourceUsage(
      userMicroseconds: 1,
      systemMicroseconds: 2,
      peakMemoryBytes: 3
    )
    failed.duration = 1_234_567
    failed.outputByteCount = 4
    failed.errorByteCount = 1 << 40
    var second = JournalOpening(epoch: 2, processID: 7, time: 1_700_000_000_123, keyVersion: 2)
    (second.folder, second.takesOtherFolders) = (Array("/a \"\u{1}é".utf8) + [0xFF], true)
    return [
      opened(1), settled("a", 1), .settled(failed), .opened(second), settled("b", 2),
      settled("c", 2),
    ]
  }
}

extension JournalState {
  /// Applies a record whose bytes do not matter.
  @discardableResult
  mutating func apply(_ record: JournalRecord) -> JournalAcceptance {
    apply(JournalScan.Entry(body: 0..<0, record: record))
  }

  /// All outcomes, whole.
  func settlements(in bytes: [UInt8]) -> [ContentDigest: JournalSettlement] {
    Dictionary(
      uniqueKeysWithValues: outcomes.keys.compactMap { key in
        settlement(of: key, in: bytes).map { (key, $0) }
      }
    )
  }
}
