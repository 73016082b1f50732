import PoolEvents
import PoolJournal
import PoolModel
import PoolWire

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
    .settled(end(name, epoch, ending))
  }

  /// The end of an operation as it is read.
  static func end(
    _ name: String,
    _ epoch: UInt64,
    _ ending: PoolEnding = .succeeded,
    message: String? = nil,
    startingAt start: Int64? = nil,
    kept: KeptOutput? = nil
  ) -> JournalEnd {
    let record = EndRecord(
      number: 0,
      ending: ending,
      attempt: 1,
      message: message,
      earlier: EndRecord.Earlier(start: start, duration: nil)
    )
    let id = Array(name.utf8)
    return JournalEnd(epoch: epoch, key: key(name), id: id, record, startingAt: start, kept: kept)
  }

  private static var facts: [JournalRecord] {
    let usage = PoolResourceUsage(userMicroseconds: 1, systemMicroseconds: 2, peakMemoryBytes: 3)
    let record = EndRecord(
      number: 0,
      ending: .failed,
      cause: .error,
      exit: 3,
      attempt: 2,
      usage: usage,
      outputByteCount: 4,
      errorByteCount: 1 << 40,
      errorType: "Odd \"one\"",
      errorCode: -7,
      message: "exit code 3",
      earlier: EndRecord.Earlier(start: nil, duration: 1_234_567_000)
    )
    let failed = JournalEnd(epoch: 1, key: key("b"), id: Array("b\n\"é".utf8), record)
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
  func ends(in bytes: [UInt8]) -> [ContentDigest: JournalEnd] {
    Dictionary(
      uniqueKeysWithValues: outcomes.keys.compactMap { key in
        end(of: key, in: bytes).map { (key, $0) }
      }
    )
  }
}
