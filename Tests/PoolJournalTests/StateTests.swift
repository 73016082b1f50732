import PoolJournal
import PoolModel
import Testing

/// Contract: each operation has one outcome, the first that the last owner accepted; an owner
/// whose time is over changes nothing.
@Suite("What a journal says")
struct StateTests {
  private let sample = SampleJournal()

  private func state(_ records: [JournalRecord]) -> JournalState {
    var state = JournalState()
    for record in records { state.apply(record) }
    return state
  }

  private func endings(_ state: JournalState) -> [String: PoolEnding] {
    let names = Dictionary(
      uniqueKeysWithValues: ["a", "b", "c"].map { (SampleJournal.key($0), $0) }
    )
    let endings = state.outcomes.map { (names[$0.key] ?? "another", $0.value.ending) }
    return Dictionary(uniqueKeysWithValues: endings)
  }

  @Test("The outcome that the last owner accepted takes the place of an earlier one")
  func replacing() {
    let state = state(sample.records)
    #expect(state.epoch == 2)
    #expect(endings(state) == ["a": .succeeded, "b": .succeeded, "c": .succeeded])
  }

  @Test("A late result of an earlier owner is not accepted")
  func stale() {
    var state = state([SampleJournal.opened(1), SampleJournal.opened(2)])
    #expect(state.apply(SampleJournal.settled("a", 1)) == .stale)
    #expect(state.outcomes.isEmpty)
    #expect(state.apply(SampleJournal.opened(2)) == .stale)
    #expect(state.apply(SampleJournal.opened(1)) == .stale)
    #expect(state.epoch == 2)
  }

  @Test("An owner's second outcome of one operation is not accepted")
  func duplicate() {
    var state = state([SampleJournal.opened(1)])
    #expect(state.apply(SampleJournal.settled("a", 1, .failed)) == .accepted)
    #expect(state.apply(SampleJournal.settled("a", 1)) == .duplicate)
    #expect(endings(state) == ["a": .failed])
    #expect(state.apply(SampleJournal.opened(2)) == .none)
    #expect(state.apply(SampleJournal.settled("a", 2)) == .replaced)
    #expect(endings(state) == ["a": .succeeded])
  }

  @Test("A voided outcome is gone, also after compaction, until the operation has another one")
  func voided() throws {
    func voided(_ name: String, _ epoch: UInt64) -> JournalRecord {
      .voided(JournalVoiding(epoch: epoch, key: SampleJournal.key(name)))
    }
    var records = [
      SampleJournal.opened(1), SampleJournal.settled("a", 1), SampleJournal.settled("b", 1),
      SampleJournal.opened(2), voided("a", 2), voided("b", 2), voided("c", 2), voided("b", 1),
    ]
    #expect(endings(state(records)) == [:])
    records += [SampleJournal.settled("a", 2, .failed), voided("a", 2)]
    #expect(endings(state(records)) == ["a": .failed], "only outcomes of earlier owners are void")
    var text = JournalBytes.withHeader
    for record in records { text.append(record) }
    let scan = try JournalScan(text.bytes)
    #expect(scan.entries.map(\.record) == records && scan.damage.isEmpty)
    let compacted = try JournalScan(try JournalCompaction.compacted(text.bytes))
    #expect(endings(JournalState(compacted.entries)) == ["a": .failed])
    #expect(compacted.entries.count == 2, "an opening and an outcome")
  }

  @Test("What was sent elsewhere is known until it has an outcome or has come back")
  func sent() throws {
    func sent(_ name: String, _ epoch: UInt64, _ attempt: Int) -> JournalRecord {
      let key = SampleJournal.key(name)
      let lease = LeaseTerms(length: .seconds(20))
      return .sent(JournalSending(epoch: epoch, key: key, attempt: attempt, lease: lease))
    }
    let back = JournalRecord.returned(JournalReturn(epoch: 2, key: SampleJournal.key("c")))
    let records = [
      SampleJournal.opened(1), sent("a", 1, 1), sent("b", 1, 1), sent("c", 1, 1), sent("a", 1, 2),
      SampleJournal.opened(2), SampleJournal.settled("b", 2), back, sent("d", 1, 9),
      // Its user has given it up, and it may still be there.
      SampleJournal.settled("a", 2, .cancelled),
    ]
    var text = JournalBytes.withHeader
    for record in records { text.append(record) }
    let scan = try JournalScan(text.bytes)
    #expect(scan.entries.map(\.record) == records && scan.damage.isEmpty)
    let known = JournalState(scan.entries).sent
    #expect(Array(known.keys) == [SampleJournal.key("a")])
    #expect(known[SampleJournal.key("a")]?.attempt == 2)
    #expect(known[SampleJournal.key("a")]?.lease.doubt == .seconds(25))
    let compacted = try JournalScan(try JournalCompaction.compacted(text.bytes))
    #expect(JournalState(compacted.entries).sent == known)
  }

  @Test("A late voiding of an earlier owner is not accepted")
  func staleVoiding() {
    let key = SampleJournal.key("a")
    var state = state([SampleJournal.opened(1), SampleJournal.settled("a", 1)])
    state.apply(SampleJournal.opened(3))
    #expect(state.apply(JournalRecord.voided(JournalVoiding(epoch: 2, key: key))) == .stale)
    #expect(endings(state) == ["a": .succeeded])
  }

  @Test("The keys of a journal have one version, which its first owner has said")
  func keyVersions() throws {
    func opening(_ epoch: UInt64, _ version: Int?) -> JournalRecord {
      .opened(JournalOpening(epoch: epoch, processID: 7, time: 1, keyVersion: version))
    }
    #expect(try state([]).knownKeyVersion() == .contentAndIdentifier)
    #expect(try state([SampleJournal.settled("a", 1)]).knownKeyVersion() == .contentAndIdentifier)
    #expect(try state([opening(1, nil)]).knownKeyVersion() == .content)
    #expect(try state([opening(1, 1)]).knownKeyVersion() == .content)
    let current = [opening(1, 2), opening(2, nil)]
    #expect(try state(current).knownKeyVersion() == .contentAndIdentifier)
    #expect {
      try state([opening(1, 3)]).knownKeyVersion()
    } throws: { error in
      (error as? JournalError)?.message
        == "a journal with keys of version 3; 2 is the last one known here"
    }
  }

  /// Salvaging may lose the record of an owner, but not what it had accepted.
  @Test("Outcomes count also where the record of their owner is lost")
  func lostOpening() {
    var state = state([SampleJournal.opened(1)])
    #expect(state.apply(SampleJournal.settled("a", 3)) == .accepted)
    #expect(state.epoch == 3)
    #expect(state.apply(SampleJournal.settled("b", 1)) == .stale)
  }

  @Test("A compacted journal says the same, and has nothing that could go")
  func compaction() throws {
    let bytes = try JournalCompaction.compacted(sample.bytes)
    let scan = try JournalScan(bytes)
    let before = JournalState(try JournalScan(sample.bytes).entries)
    let after = JournalState(scan.entries)
    #expect(after.ends(in: bytes) == before.ends(in: sample.bytes))
    #expect(after.epoch == before.epoch)
    #expect(scan.entries.count == sample.records.count - 1)
    #expect(try JournalCompaction.compacted(bytes) == bytes)
  }

  @Test("A whole outcome is read again as it was, without an output that was printed since")
  func settlements() throws {
    var failed = SampleJournal.end(
      "b",
      1,
      .failed,
      message: "exit code 3",
      kept: KeptOutput(number: 1, .record(output: [0x78], error: []))
    )
    var text = JournalBytes.withHeader
    let printing = JournalRecord.printed(JournalPrinting(epoch: 1, outputs: [1...1]))
    for record in [SampleJournal.opened(1), .settled(failed)] { text.append(record) }
    let before = JournalState(try JournalScan(text.bytes).entries)
    #expect(before.end(of: failed.key, in: text.bytes) == failed)
    #expect(before.unprintedEnds(in: text.bytes) == [failed])
    text.append(printing)
    let after = JournalState(try JournalScan(text.bytes).entries)
    failed.kept = nil
    #expect(after.end(of: failed.key, in: text.bytes) == failed)
    #expect(after.unprintedEnds(in: text.bytes).isEmpty)
    #expect(after.end(of: SampleJournal.key("a"), in: text.bytes) == nil)
    #expect(MemoryLayout<JournalOutcome>.size <= 64)
  }

  /// So that memory does not grow with what they say.
  @Test("Of records that are shown to a closure, a scan keeps the openings alone")
  func visiting() throws {
    var shown: [JournalRecord] = []
    let scan = try JournalScan(sample.bytes) { shown.append($0.record) }
    #expect(shown == sample.records)
    let openings = sample.records.filter { record in
      if case .opened = record { true } else { false }
    }
    #expect(scan.entries.map(\.record) == openings && openings.count == 2)
  }

  @Test(
    "Of an outcome that was replaced, and of an output that was printed, a compacted journal has nothing"
  )
  func compactionOfOutputs() throws {
    func settled(_ name: String, _ number: UInt32) -> JournalRecord {
      let kept = KeptOutput(number: number, .record(output: [0x78], error: []))
      return .settled(SampleJournal.end(name, 1, kept: kept))
    }
    var text = JournalBytes.withHeader
    let printing = JournalRecord.printed(JournalPrinting(epoch: 1, outputs: [1...1]))
    let later = SampleJournal.settled("c", 2)
    let records = [
      SampleJournal.opened(1), settled("a", 1), settled("b", 2), settled("c", 3), printing,
      SampleJournal.opened(2), later,
    ]
    for record in records { text.append(record) }
    let left = try JournalScan(try JournalCompaction.compacted(text.bytes)).entries.map(\.record)
    let expected = [
      SampleJournal.opened(1), SampleJournal.settled("a", 1), settled("b", 2),
      SampleJournal.opened(2), later,
    ]
    #expect(left == expected)
  }

  @Test("A compacted journal keeps its last owner, and so the number of the next")
  func compactionOfNothing() throws {
    var text = JournalBytes.withHeader
    for epoch in 1...5 { text.append(SampleJournal.opened(UInt64(epoch))) }
    let bytes = try JournalCompaction.compacted(text.bytes)
    #expect(try JournalScan(bytes).entries.map(\.record) == [SampleJournal.opened(5)])
  }
}
