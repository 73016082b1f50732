import PoolJournal
import PoolTestSupport
import Testing

/// Contract: whatever happens to the bytes, nothing is accepted that was not written; a torn end
/// is told from a damaged middle.
@Suite("Damaged journals")
struct DamageTests {
  private let sample = SampleJournal()

  /// What a dying machine does: the file is shorter than what was written.
  @Test("Truncated at every byte, a journal loses the records that are cut and no other")
  func truncation() throws {
    for count in 0...sample.bytes.count {
      let scan = try JournalScan(Array(sample.bytes[..<count]))
      let whole = sample.boundaries.filter { $0 <= count }
      #expect(scan.entries.map(\.record) == Array(sample.records.prefix(max(0, whole.count - 1))))
      #expect(scan.damage.isEmpty)
      let end = whole.last ?? 0
      #expect(scan.end == end && (scan.tornTail == nil) == (end == count), "cut at \(count)")
    }
  }

  /// Every byte is given every other value; a changed record is never taken for one.
  @Test("With any byte changed, no record is read that was not written")
  func flips() throws {
    for place in sample.bytes.indices {
      for change in [1, 2, 4, 8, 16, 32, 64, 128, 255, UInt8.random(in: 1...254)] as [UInt8] {
        try check(place, change)
      }
    }
  }

  private func check(_ place: Int, _ change: UInt8) throws {
    var bytes = sample.bytes
    bytes[place] ^= change
    let isHeader = place < sample.boundaries[0]
    guard let scan = try? JournalScan(bytes) else {
      #expect(isHeader, "byte \(place) ^ \(change)")
      return
    }
    let hit = sample.boundaries.dropLast().lastIndex { $0 <= place } ?? 0
    var expected = sample.records
    expected.remove(at: hit)
    #expect(!isHeader && scan.entries.map(\.record) == expected, "byte \(place) ^ \(change)")
    let range = sample.boundaries[hit]..<sample.boundaries[hit + 1]
    let isLast = hit == sample.records.count - 1
    #expect(scan.tornTail == (isLast ? range : nil), "byte \(place) ^ \(change)")
    #expect(scan.damage == (isLast ? [] : [range]), "byte \(place) ^ \(change)")
  }

  /// The sentence names the place, and what can be read is still there for `--salvage`.
  @Test("A damaged middle is refused with its offset")
  func refusal() throws {
    var bytes = sample.bytes
    bytes[sample.boundaries[1] + 20] ^= 1
    let scan = try JournalScan(bytes)
    let offset = sample.boundaries[1]
    do throws(JournalError) {
      try scan.demandUndamaged()
      Issue.record("not refused")
    } catch {
      #expect(error.code == .corrupt(offset: offset))
      #expect(error.message.contains("offset \(offset)"))
    }
    let salvaged = try JournalScan(JournalCompaction.salvaged(bytes))
    #expect(salvaged.entries.map(\.record) == scan.entries.map(\.record))
    try salvaged.demandUndamaged()
  }

  /// A file system may leave zeros where it had not written yet.
  @Test("Zeros, noise and the start of another record are no records")
  func noise() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    for round in 0..<300 {
      let count = Int.random(in: 1...400, using: &generator)
      let isZero = round.isMultiple(of: 3)
      let junk = (0..<count).map { _ in
        isZero ? 0 : UInt8.random(in: 0...UInt8.max, using: &generator) & (round % 2 == 0 ? 3 : 255)
      }
      let place = sample.boundaries.randomElement(using: &generator) ?? 0
      var bytes = sample.bytes
      bytes.insert(contentsOf: junk, at: place)
      let scan = try JournalScan(bytes)
      #expect(scan.entries.map(\.record) == sample.records, "seed \(seed), round \(round)")
      let range = place..<place + count
      let isEnd = place == sample.bytes.count
      #expect(scan.tornTail == (isEnd ? range : nil), "seed \(seed), round \(round)")
      #expect(scan.damage == (isEnd ? [] : [range]), "seed \(seed), round \(round)")
    }
  }

  /// The next record is looked for at every place, also at the one right behind the first.
  @Test("One byte between two records is damage of one byte, and costs no record")
  func strayByte() throws {
    for place in sample.boundaries {
      for byte in [0, 1, UInt8(ascii: "{"), UInt8(ascii: "\n"), UInt8.max] {
        var bytes = sample.bytes
        bytes.insert(byte, at: place)
        let scan = try JournalScan(bytes)
        #expect(scan.entries.map(\.record) == sample.records, "\(byte) at \(place)")
        let isEnd = place == sample.bytes.count
        #expect(scan.damage == (isEnd ? [] : [place..<place + 1]), "\(byte) at \(place)")
        #expect(scan.tornTail == (isEnd ? place..<place + 1 : nil), "\(byte) at \(place)")
      }
    }
  }

  /// Reading costs the same for each byte, also where most of them are no record.
  @Test("Reading never traps, whatever the bytes are")
  func random() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      var bytes = sample.bytes
      for _ in 0..<Int.random(in: 1...20, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: place)
        default: bytes.insert(contentsOf: bytes[place...].prefix(50), at: place)
        }
      }
      guard let scan = try? JournalScan(bytes) else { continue }
      let read = Set(scan.entries.map(\.record))
      #expect(read.isSubset(of: sample.records), "seed \(seed)")
    }
  }
}
