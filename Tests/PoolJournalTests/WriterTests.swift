import PoolJournal
import PoolSystem
import PoolTestSupport
import Testing

/// Contract: what a commit has returned for is kept as the durability says; after a failure nothing
/// is written, and what was written before stays readable.
@Suite("Writing a journal")
struct WriterTests {
  private func writer(
    _ storage: ForgetfulStorage,
    _ durability: Durability,
    failed: @escaping @Sendable (JournalError) -> Void = { _ in }
  ) throws -> JournalWriter {
    try storage.append(JournalBytes.withHeader.bytes)
    return try JournalWriter(
      storage,
      .init(end: JournalBytes.withHeader.bytes.count),
      durability: durability,
      failed: failed
    )
  }

  private func names(in bytes: [UInt8]) throws -> [String] {
    try JournalScan(bytes).entries.compactMap { entry in
      guard case .settled(let end) = entry.record else { return nil }
      return String(decoding: end.id, as: UTF8.self)
    }
  }

  @Test("By operation, an outcome outlives the machine when its commit has returned")
  func operation() throws {
    let storage = ForgetfulStorage()
    let writer = try writer(storage, .operation)
    for number in 1...20 {
      writer.append(SampleJournal.settled("\(number)", 1))
      // Before the commit nothing has relied on it.
      #expect(try names(in: storage.survivingBytes).count == number - 1)
      try writer.commit()
      #expect(try names(in: storage.survivingBytes) == (1...number).map { "\($0)" })
    }
    try writer.close()
    #expect(storage.syncCount == 20)
  }

  @Test("Without durability, nothing is synced, and a killed process loses nothing")
  func none() throws {
    let storage = ForgetfulStorage()
    let writer = try writer(storage, .none)
    for number in 1...5 {
      writer.append(SampleJournal.settled("\(number)", 1))
      try writer.commit()
      #expect(try names(in: storage.bytes).count == number)
    }
    try writer.close()
    #expect(storage.syncCount == 0 && storage.survivingBytes.isEmpty)
  }

  /// When a sync begins is the schedule's contract; here, that one does, and covers everything.
  @Test("Within the window, outcomes are synced without another commit")
  func window() async throws {
    let storage = ForgetfulStorage()
    let writer = try writer(storage, .window)
    try await Blocking.run {
      for number in 1...3 {
        writer.append(SampleJournal.settled("\(number)", 1))
        try writer.commit()
        storage.awaitSync()
      }
    }
    #expect(try names(in: storage.survivingBytes) == ["1", "2", "3"])
    writer.append(SampleJournal.settled("4", 1))
    try await Blocking.run { try writer.close() }
    #expect(try names(in: storage.survivingBytes) == ["1", "2", "3", "4"])
  }

  @Test("The outcomes of a turn are one write, and a turn without any is none")
  func batches() throws {
    let storage = ForgetfulStorage()
    let writer = try writer(storage, .none)
    for number in 1...100 { writer.append(SampleJournal.settled("\(number)", 1)) }
    try writer.commit()
    try writer.commit()
    try writer.close()
    #expect(storage.appendCount == 2, "the header, and all records")
    #expect(try names(in: storage.bytes).count == 100)
  }

  /// Every write fails once, after every possible number of bytes.
  @Test(
    "A failed write is told, stays the last, and leaves what was there before",
    arguments: 0..<3
  )
  func failedWrite(_ writeCount: Int) throws {
    for byteCount in stride(from: 0, through: 200, by: 7) {
      for refusesCut in [false, true] {
        let storage = ForgetfulStorage { state in
          state.failingAppend = (writeCount + 2, byteCount)
          state.refusesCut = refusesCut
        }
        try check(failureIn: storage, after: writeCount)
      }
    }
  }

  @Test("An outcome that is added during a write is not among the written ones")
  func addedDuringWrite() throws {
    let storage = ForgetfulStorage { $0.failingAppend = (number: 3, byteCount: 0) }
    let writer = try writer(storage, .none)
    writer.append(SampleJournal.settled("1", 1))
    storage.duringAppend { writer.append(SampleJournal.settled("2", 1)) }
    try writer.commit()
    #expect(try names(in: storage.bytes) == ["1"])
    #expect(throws: JournalError.self) { try writer.commit() }
    #expect(writer.lostCount == 1)
  }

  private func check(failureIn storage: ForgetfulStorage, after writeCount: Int) throws {
    let writer = try writer(storage, .none)
    for number in 0..<writeCount {
      writer.append(SampleJournal.settled("\(number)", 1))
      try writer.commit()
    }
    let full = JournalError(SystemFailure(call: "write", code: 28))
    for _ in 0..<2 {
      writer.append(SampleJournal.settled("lost", 1))
      #expect(throws: full) { try writer.commit() }
    }
    #expect(throws: full) { try writer.close() }
    #expect(writer.lostCount == 2)
    #expect(writer.failure == full && storage.appendCount == writeCount + 2)
    #expect(
      try names(in: storage.bytes).filter { $0 != "lost" } == (0..<writeCount).map { "\($0)" }
    )
    #expect(try JournalScan(storage.bytes).damage.isEmpty)
  }

  @Test("A failed sync is told where the outcome would have counted")
  func failedSync() throws {
    let storage = ForgetfulStorage { $0.failingSync = 3 }
    let writer = try writer(storage, .operation)
    for number in 1...2 {
      writer.append(SampleJournal.settled("\(number)", 1))
      try writer.commit()
    }
    writer.append(SampleJournal.settled("3", 1))
    #expect(throws: JournalError.self) { try writer.commit() }
    #expect(throws: JournalError.self) { try writer.close() }
    #expect(try names(in: storage.survivingBytes) == ["1", "2"])
    #expect(storage.syncCount == 3, "what a failed sync left on the disk is not known")
  }

  @Test("A sync that fails beside the run is told, and ends all writing")
  func failedSyncBeside() async throws {
    let storage = ForgetfulStorage { $0.failingSync = 1 }
    let told = Monitor([JournalError]())
    let writer = try writer(storage, .window) { error in
      told.withLock { $0.append(error) }
      told.broadcast()
    }
    writer.append(SampleJournal.settled("1", 1))
    try writer.commit()
    try await Blocking.run { told.wait(while: { $0.isEmpty }, then: { _ in }) }
    let failure = JournalError(SystemFailure(call: "fdatasync", code: 5))
    writer.append(SampleJournal.settled("2", 1))
    #expect(throws: failure) { try writer.commit() }
    try await Blocking.run { #expect(throws: failure) { try writer.close() } }
    #expect(told.withLock { $0 } == [failure])
    #expect(try names(in: storage.bytes) == ["1"])
  }

  private func marks(in bytes: [UInt8]) throws -> [JournalRecord] {
    try JournalScan(bytes).entries.map(\.record).filter(\.isMark)
  }

  @Test("What a sync has covered is marked by the next commit, and at the end")
  func syncMarks() throws {
    let storage = ForgetfulStorage()
    let writer = try writer(storage, .operation)
    var ends: [Int] = []
    for number in 1...3 {
      writer.append(SampleJournal.settled("\(number)", 1))
      try writer.commit()
      ends.append(storage.bytes.count)
    }
    try writer.close()
    #expect(try marks(in: storage.bytes) == ends.map { .synced(end: $0) })
    #expect(try JournalScan(storage.bytes).syncedEnd == ends[2])
  }

  @Test("What was printed is marked by the next commit, in few records, and at the end")
  func printMarks() throws {
    let storage = ForgetfulStorage()
    let writer = try writer(storage, .none)
    writer.notePrinted((1...3).map { KeptOutputID(epoch: 2, number: $0) })
    writer.notePrinted([KeptOutputID(epoch: 1, number: 9), KeptOutputID(epoch: 2, number: 7)])
    try writer.commit()
    #expect(try marks(in: storage.bytes).isEmpty)
    writer.append(SampleJournal.settled("a", 2))
    try writer.commit()
    let expected: [JournalRecord] = [
      .printed(JournalPrinting(epoch: 1, outputs: [9...9])),
      .printed(JournalPrinting(epoch: 2, outputs: [1...3, 7...7])),
    ]
    #expect(try marks(in: storage.bytes) == expected)
    writer.notePrinted([KeptOutputID(epoch: 2, number: 8)])
    try writer.close()
    #expect(try marks(in: storage.bytes).count == 3)
  }

  /// The thread looks by itself; a commit finds it at once.
  @Test("A file that is not what was written any more fails the writer", arguments: [false, true])
  func tampered(_ isCommitting: Bool) async throws {
    let storage = ForgetfulStorage()
    let told = Monitor([JournalError]())
    let writer = try writer(storage, .none) { error in
      told.withLock { $0.append(error) }
      told.broadcast()
    }
    writer.append(SampleJournal.settled("1", 1))
    try writer.commit()
    storage.tamper()
    let bytes = storage.bytes
    if isCommitting {
      writer.append(SampleJournal.settled("2", 1))
      #expect(throws: JournalError.self) { try writer.commit() }
      #expect(storage.bytes.count > bytes.count, "what others have changed is not cut")
    } else {
      try await Blocking.run { told.wait(while: { $0.isEmpty }, then: { _ in }) }
      #expect(storage.bytes == bytes)
    }
    #expect(writer.failure?.code == .tampered && writer.lostCount == (isCommitting ? 2 : 1))
    try await Blocking.run { #expect(throws: JournalError.self) { try writer.close() } }
  }
}
