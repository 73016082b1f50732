import PoolModel
import PoolTestSupport
import Testing

@testable import PoolJournal

/// Contract: when the machine stops, whatever was synced is there, nothing is there that was not
/// written, and the journal is never refused because of what was not synced.
@Suite("A power cut")
struct PowerCutTests {
  /// Owners that come one after the other, with a stop of the machine, or of the process, behind
  /// each.
  private struct Life {
    var disk: ForgetfulDisk
    var generator: SeededGenerator
    var marks = JournalMarks(syncedEnd: 0)
    var epoch: UInt64 = 0
    var boot: UInt8 = 0
    var written: Set<JournalRecord> = []
    /// Records before the end of the latest sync.
    var synced: Set<JournalRecord> = []
    var unsynced: [(record: JournalRecord, end: Int)] = []

    mutating func append(_ records: [JournalRecord]) {
      var text = disk.bytes.isEmpty ? JournalBytes.withHeader : JournalBytes()
      let all = marks.take(epoch: 1) + records
      for record in all { text.append(record) }
      disk.append(text.bytes)
      marks.wrote(0, end: disk.bytes.count, isSynced: false)
      for record in records {
        written.insert(record)
        unsynced.append((record, disk.bytes.count))
      }
    }

    mutating func sync(to end: Int) {
      disk.sync(to: end)
      marks.synced(end)
      for (record, _) in unsynced.filter({ $0.end <= end }) { synced.insert(record) }
      unsynced.removeAll { $0.end <= end }
    }
  }

  private func settle(_ life: inout Life, _ number: Int) -> JournalRecord {
    let name = "\(life.epoch)-\(number)"
    let count = Int.random(in: 0...300, using: &life.generator)
    let message = String(repeating: "x", count: count)
    return .settled(SampleJournal.end(name, life.epoch, message: message))
  }

  /// Opens the file as a run does that resumes.
  private func open(_ life: inout Life, _ seed: UInt64) throws {
    let scan = try JournalScan(life.disk.bytes, boot: [life.boot])
    #expect(scan.damage.isEmpty, "seed \(seed)")
    let found = Set(scan.entries.map(\.record).filter { !$0.isMark })
    #expect(found.isSubset(of: life.written), "seed \(seed)")
    #expect(found.isSuperset(of: life.synced), "seed \(seed)")
    var position = JournalWriter.Position(end: scan.end, syncedEnd: scan.syncedEnd)
    if !scan.holes.isEmpty {
      let salvaged = try JournalCompaction.salvaged(life.disk.bytes)
      position = .init(end: salvaged.count, syncedEnd: salvaged.count)
      life.disk.replace(with: salvaged)
    } else if scan.tornTail != nil {
      life.disk.replace(with: Array(life.disk.bytes[..<scan.end]))
    }
    life.marks = JournalMarks(syncedEnd: position.syncedEnd)
    life.unsynced.removeAll()
    life.epoch = JournalState(scan.entries).epoch + 1
    life.append([
      .opened(JournalOpening(epoch: life.epoch, processID: 1, time: 1, boot: [life.boot]))
    ])
  }

  private func run(_ life: inout Life, _ durability: Durability) {
    var pending: Int?
    if durability != .none { life.sync(to: life.disk.bytes.count) }
    for number in 0..<Int.random(in: 0...25, using: &life.generator) {
      life.append(
        (0...Int.random(in: 0...3, using: &life.generator)).map { settle(&life, number * 10 + $0) }
      )
      switch durability {
      case .none: break
      case .operation: life.sync(to: life.disk.bytes.count)
      case .window:
        // A sync covers what was written when it began; other records are written meanwhile.
        if let end = pending, Bool.random(using: &life.generator) {
          life.sync(to: end)
          pending = nil
        } else if pending == nil, Int.random(in: 0..<3, using: &life.generator) == 0 {
          pending = life.disk.bytes.count
        }
      }
    }
  }

  @Test(
    "Of what was not synced any part may be lost, and nothing else is",
    arguments: [512, 4_096]
  )
  func lostBlocks(_ blockSize: Int) throws {
    for seed in RandomSeeds.first(100) {
      var life = Life(
        disk: ForgetfulDisk(blockSize: blockSize),
        generator: SeededGenerator(seed: seed)
      )
      for _ in 0..<4 {
        try open(&life, seed)
        run(&life, Durability.allCases.randomElement(using: &life.generator) ?? .none)
        guard Int.random(in: 0..<4, using: &life.generator) > 0 else { continue }
        life.disk.stop(using: &life.generator)
        life.boot += 1
      }
      try open(&life, seed)
    }
  }

  private func journal(
    _ records: [JournalRecord],
    zeroing hole: Int? = nil
  ) -> (bytes: [UInt8], boundaries: [Int]) {
    var text = JournalBytes.withHeader
    var boundaries: [Int] = []
    for record in records {
      boundaries.append(text.bytes.count)
      text.append(record)
    }
    boundaries.append(text.bytes.count)
    var bytes = text.bytes
    if let hole {
      for place in boundaries[hole]..<boundaries[hole + 1] { bytes[place] = 0 }
    }
    return (bytes, boundaries)
  }

  private func opened(_ boot: String?) -> JournalRecord {
    .opened(JournalOpening(epoch: 1, processID: 1, time: 1, boot: boot.map { Array($0.utf8) }))
  }

  /// Records: the opening, `a`, a mark, `b`, `c`.
  @Test("A hole behind the last mark is torn, and one before it is damage")
  func marks() throws {
    let (plain, boundaries) = journal([opened(nil), SampleJournal.settled("a", 1)])
    let marked: [JournalRecord] = [
      opened(nil), SampleJournal.settled("a", 1), .synced(end: plain.count),
      SampleJournal.settled("b", 1), SampleJournal.settled("c", 1),
    ]
    for (hole, isDamage) in [(1, true), (3, false)] {
      let (bytes, places) = journal(marked, zeroing: hole)
      let scan = try JournalScan(bytes)
      let range = places[hole]..<places[hole + 1]
      #expect(scan.damage == (isDamage ? [range] : []) && scan.holes == (isDamage ? [] : [range]))
      #expect(scan.entries.count == 4)
      let text = "bytes \(range.lowerBound) to \(range.upperBound - 1) are no record"
      #expect(isDamage || scan.findings == [text + ", and had not been synced"])
    }
    #expect(boundaries.last == plain.count)
  }

  @Test("Without marks a hole is torn only if the machine was started anew since")
  func boots() throws {
    let records = { (boot: String?) in
      [self.opened(boot), SampleJournal.settled("a", 1), SampleJournal.settled("b", 1)]
    }
    for (boot, now, isDamage) in [
      ("one", "one", true), ("one", "two", false), (nil, "two", true), ("one", nil, true),
    ] as [(String?, String?, Bool)] {
      let (bytes, _) = journal(records(boot), zeroing: 1)
      let scan = try JournalScan(bytes, boot: now.map { Array($0.utf8) })
      #expect(scan.damage.isEmpty != isDamage && scan.holes.isEmpty == isDamage)
    }
  }

  /// An earlier version keeps records of types that it does not know, also where it moves them.
  @Test("A mark that speaks of what comes after it is none")
  func strayMark() throws {
    let records = [
      opened(nil), .synced(end: 1 << 20), SampleJournal.settled("a", 1),
    ]
    #expect(try JournalScan(journal(records).bytes).syncedEnd == 0)
  }

  @Test("A file of zeros is torn where it is small, and no journal where it is large")
  func zeros() throws {
    let scan = try JournalScan([UInt8](repeating: 0, count: 8_192))
    #expect(scan.end == 0 && scan.tornTail == 0..<8_192 && scan.entries.isEmpty)
    #expect(throws: JournalError.self) {
      try JournalScan([UInt8](repeating: 0, count: 4 << 20))
    }
  }
}
