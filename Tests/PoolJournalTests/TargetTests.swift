import PoolJournal
import PoolModel
import PoolSystem
import Testing

/// Contract: a target goes on behind what the journal vouches for, and nothing is cut that its runs
/// have not written.
@Suite("Targets that a journal knows")
struct TargetTests {
  /// A file in memory, whose own lines begin with a dash.
  private struct MemoryFile: FoundFile {
    var text: String
    var number: FileNumber?

    var bytes: [UInt8] { Array(text.utf8) }
    var byteCount: Int64 { Int64(bytes.count) }
    var hasExpectedStart: Bool { text.isEmpty || text.hasPrefix("-") }
    var wholeEnd: Int64 { Int64((bytes.lastIndex(of: 10) ?? -1) + 1) }

    func has(_ extent: TargetExtent) -> Bool {
      let tail = bytes[Int(extent.tail.lowerBound)..<Int(extent.tail.upperBound)]
      return TargetExtent(length: extent.length, endingIn: Array(tail)) == extent
    }

    func foreignLine(behind offset: Int64) -> Int64? {
      var start = Int(offset)
      while let end = bytes[start...].firstIndex(of: 10) {
        if bytes[start] != UInt8(ascii: "-") { return Int64(start) }
        start = end + 1
      }
      return nil
    }
  }

  private static let written = "-one line\n-another\n"
  private static let file = FileNumber(device: 1, inode: 2)

  private static func target(_ number: UInt32 = 1, _ text: String = written) -> JournalTarget {
    let extent = TargetExtent(length: Int64(text.utf8.count), endingIn: Array(text.utf8))
    return JournalTarget(number: number, .results, file, extent)
  }

  private func state(_ records: [JournalRecord]) -> JournalState {
    var state = JournalState()
    for record in records { state.apply(record) }
    return state
  }

  private func continuation(_ text: String, inode: UInt64 = 2) -> TargetContinuation {
    let use = JournalTargetUse(epoch: 1, Self.target())
    return state([SampleJournal.opened(1), .target(use)]).targets.continuation(
      of: MemoryFile(text: text, number: FileNumber(device: 1, inode: inode)),
      as: .results
    )
  }

  @Test("The file behind the standard output, and how far it is known, stay after compaction")
  func streams() throws {
    let extent = TargetExtent(length: 8, endingIn: [1, 2])
    let use = JournalTargetUse(epoch: 1, JournalTarget(number: 3, .streams, Self.file))
    let mark = JournalMark(target: 3, epoch: 1, extent: extent)
    let records = [SampleJournal.opened(1), .target(use), .marked(mark)]
    let expected = JournalTarget(number: 3, .streams, Self.file, extent)
    #expect(state(records).targets.latest(.streams, Self.file) == expected)
    var text = JournalBytes.withHeader
    for record in records { text.append(record) }
    let compacted = try JournalScan(try JournalCompaction.compacted(text.bytes))
    #expect(JournalState(compacted.entries).targets.latest(.streams, Self.file) == expected)
    #expect(JournalState(compacted.entries).targets.nextNumber == 4)
  }

  @Test("Own lines and a torn one behind the mark go")
  func own() {
    let kept = TargetContinuation.continued(target: 1, keeping: 19)
    for tail in ["", "-own\n", "-own\n-more\n-to", "torn"] {
      #expect(continuation(Self.written + tail) == kept, "\(tail)")
    }
  }

  @Test("A file that others have written to, emptied or replaced stays as it is")
  func foreign() {
    for text in [
      Self.written + "other\n", Self.written + "-own\nother\n", "", "-one line\n",
      "-one line\n-anotter\n-own\n",
    ] {
      guard case .refused = continuation(text) else {
        Issue.record("\(text)")
        continue
      }
    }
  }

  @Test("A file that was moved or copied is known by its content; another one only grows")
  func moved() {
    #expect(continuation(Self.written + "-own\n", inode: 3) == .continued(target: 1, keeping: 19))
    #expect(continuation("-x\n-to", inode: 3) == .continued(target: nil, keeping: 3))
    #expect(continuation("", inode: 3) == .replaced)
    guard case .refused = continuation("other\n", inode: 3) else {
      Issue.record("it is no file of results")
      return
    }
  }

  private static func kept(_ name: String, _ number: UInt32) -> JournalRecord {
    var kept = KeptOutput(number: number, .record(output: [0x78], error: []))
    kept.readers = [.streams, .results]
    kept.result = Array(#"{"a":"\#u{1}é"}"#.utf8)
    return .settled(SampleJournal.end(name, 1, startingAt: 1_700_000_000_123_000_000, kept: kept))
  }

  private static var records: [JournalRecord] {
    [
      SampleJournal.opened(1), .target(JournalTargetUse(epoch: 1, target(1, ""))),
      .target(JournalTargetUse(epoch: 1, JournalTarget(number: 2, .jobLog, nil))),
      kept("a", 1), kept("b", 2), kept("c", 3),
      .marked(JournalMark(target: 1, epoch: 1, outputs: [1...2], extent: target().extent)),
      .marked(JournalMark(target: 0, epoch: 1, outputs: [1...1])),
      .printed(JournalPrinting(epoch: 1, outputs: [2...2])),
    ]
  }

  private func id(_ number: UInt32) -> KeptOutputID { KeptOutputID(epoch: 1, number: number) }

  private func check(_ state: JournalState) {
    #expect(state.unprinted.keys.map(\.number).sorted() == [1, 3])
    let targets = state.targets
    #expect(targets.has(id(1), 1) && targets.has(id(1), 0) && !targets.has(id(3), 1))
    #expect(targets.roles(having: id(1)) == [.streams, .results])
    #expect(targets.roles(having: id(2)) == [], "it is not kept any more")
    #expect(targets[1] == Self.target() && targets[2]?.file == nil && targets.nextNumber == 3)
  }

  @Test("Each target has what the marks say, also after a compaction")
  func marks() throws {
    check(state(Self.records))
    var text = JournalBytes.withHeader
    for record in Self.records { text.append(record) }
    #expect(try JournalScan(text.bytes).entries.map(\.record) == Self.records)
    let compacted = try JournalCompaction.compacted(text.bytes)
    check(JournalState(try JournalScan(compacted).entries))
    #expect(try JournalCompaction.compacted(compacted) == compacted)
  }

  @Test("An operation that executes again lacks everywhere what it makes then")
  func again() {
    let kept = KeptOutput(number: 1, .record(output: [0x79], error: []))
    let again = SampleJournal.end("a", 2, kept: kept)
    let records = Self.records + [SampleJournal.opened(2), .settled(again)]
    let targets = state(records).targets
    #expect(targets.roles(having: KeptOutputID(epoch: 2, number: 1)) == [])
    #expect(targets.roles(having: id(1)) == [], "the earlier output does not count")
  }

  @Test("A mark whose numbers are nonsense changes nothing, and takes no time")
  func nonsense() {
    let all = JournalMark(target: 9, epoch: 7, outputs: [0...UInt32.max])
    let records = Self.records + [.marked(all)]
    check(state(records))
  }
}
