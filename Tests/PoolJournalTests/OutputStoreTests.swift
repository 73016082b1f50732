import Foundation
import PoolModel
import PoolSystem
import PoolTestSupport
import Testing

@testable import PoolJournal

/// Contract: outputs are there until they were printed, as they were, and then their room is given
/// back; what cannot be read is named.
@Suite("Outputs that are kept")
struct OutputStoreTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private var journal: [UInt8] { Array(folder.path(of: "j").utf8) }
  private var path: [UInt8] { journal + Array(".outputs".utf8) }

  private func source(_ bytes: [UInt8]) -> OutputStore.Source {
    { body throws(SystemFailure) in
      try Result { () throws(SystemFailure) in
        for start in stride(from: 0, to: bytes.count, by: 1_000) {
          let piece = Array(bytes[start..<min(start + 1_000, bytes.count)])
          try piece.withUnsafeBytes { buffer in
            Result { () throws(SystemFailure) in try body(buffer) }
          }.get()
        }
      }.get()
    }
  }

  private func id(_ number: UInt32) -> KeptOutputID { KeptOutputID(epoch: 1, number: number) }

  private func keep(
    _ number: UInt32,
    _ count: Int,
    in store: OutputStore
  ) throws -> KeptOutput.FilePlace {
    let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: count)
    return try store.keep(id(number), output: source(bytes), error: source([1, 2, 3]))
  }

  @Test("An output that is kept only in part leaves nothing, and the next one has its place")
  func cancelled() throws {
    try folder.write([], to: "j")
    let store = try OutputStore(path: path, holding: [])
    let first = try keep(1, 5_000, in: store)
    #expect(throws: SystemFailure.cancelled) {
      try store.keep(
        id(2),
        output: { body throws(SystemFailure) in
          try Result { () throws(SystemFailure) in
            try [UInt8](repeating: 9, count: 9).withUnsafeBytes { bytes in
              Result { () throws(SystemFailure) in try body(bytes) }
            }.get()
          }.get()
          throw SystemFailure.cancelled
        },
        error: source([])
      )
    }
    let second = try keep(3, 5_000, in: store)
    #expect(second.range.lowerBound == first.range.upperBound)
    #expect(try find([first, second]).lost.isEmpty)
  }

  @Test("A result has a place of its own, and without one there is none")
  func result() throws {
    try folder.write([], to: "j")
    let store = try OutputStore(path: path, holding: [])
    let result = [UInt8](repeating: 7, count: 2_500)
    let place = try store.keep(
      id(1),
      output: source([1]),
      error: source([]),
      result: source(result)
    )
    #expect(place.resultCount == 2_500)
    #expect(try find([place]).lost.isEmpty)
    var found: [UInt8] = []
    let reader = try #require(try store.reader())
    defer { Descriptors.close(reader) }
    try SystemIO.forEachPiece(of: reader, place.result) { found += $0 }
    #expect(found == result)
    #expect(try keep(2, 10, in: store).resultCount == nil)
  }

  /// The loop, and the thread that syncs the journal.
  @Test("No other thread waits for an output that is being kept")
  func others() throws {
    try folder.write([], to: "j")
    let store = try OutputStore(path: path, holding: [])
    _ = try keep(1, 5_000, in: store)
    let place = try store.keep(
      id(2),
      output: { body throws(SystemFailure) in
        try store.sync()
        if let reader = try store.reader() { Descriptors.close(reader) }
        store.release([id(1)])
      },
      error: source([1])
    )
    #expect(try find([place]).lost.isEmpty)
  }

  /// The outputs of a journal with these places.
  private func find(_ places: [KeptOutput.FilePlace]) throws -> KeptOutputs {
    var text = JournalBytes.withHeader
    for (index, place) in places.enumerated() {
      let kept = KeptOutput(number: UInt32(index + 1), .file(place))
      text.append(.settled(SampleJournal.end("\(index)", 1, kept: kept)))
    }
    let state = JournalState(try JournalScan(text.bytes).entries)
    return try KeptOutputs.find(of: state, in: text.bytes, at: journal)
  }

  @Test("They are read again as they were, and the file is gone when all were printed")
  func kept() throws {
    try folder.write([], to: "j")
    let store = try OutputStore(path: path, holding: [])
    #expect(try folder.names() == ["j"])
    let places = try (1...3).map { try keep($0, 2_500, in: store) }
    #expect(places[1].output == places[0].error.upperBound..<places[2].offset - 3)
    let kept = try find(places)
    #expect(kept.count == 3 && kept.lost.isEmpty && kept.inFile.count == 3)
    store.release([id(1), id(3)])
    store.close()
    #expect(try folder.names() == ["j", "j.outputs"])
    let next = try OutputStore(path: path, holding: [kept.inFile[1]])
    #expect(folder.bytes(of: "j.outputs").count == Int(places[1].range.upperBound))
    next.release([id(2)])
    next.close()
    #expect(try folder.names() == ["j"])
  }

  @Test("Every byte of them that is changed, and every one that is cut off, is noticed")
  func damage() throws {
    try folder.write([], to: "j")
    let store = try OutputStore(path: path, holding: [])
    let places = try (1...3).map { try keep($0, 20, in: store) }
    let whole = folder.bytes(of: "j.outputs")
    for place in OutputStoreFile.header.count..<whole.count {
      var bytes = whole
      bytes[place] ^= 4
      try folder.write(bytes, to: "j.outputs")
      let lost = try find(places).lost
      #expect(lost.map(\.reason) == ["it is damaged"] && lost.first?.id.count == 1)
      try folder.write(Array(whole[..<place]), to: "j.outputs")
      let cut = try find(places)
      #expect(cut.lost.last?.reason == "it is too short")
      #expect(throws: JournalError.self) { try cut.demandWhole() }
    }
    FilePath.remove(path)
    let missing = try find(places).lost
    #expect(missing.map(\.reason) == Array(repeating: "it is missing", count: 3))
  }

  @Test("A user's own file, or a link, stays as it is")
  func foreign() throws {
    try folder.write("precious", to: "j.outputs")
    #expect(throws: SystemFailure.self) { try OutputStore(path: path, holding: []) }
    #expect(folder.text(of: "j.outputs") == "precious")
  }

  /// Half a gigabyte would be kept for a run of days that always has something to print.
  @Test("The room of what was printed is given back while others are kept")
  func room() throws {
    try folder.write([], to: "j")
    let store = try OutputStore(path: path, holding: [])
    for number in 1...20 as ClosedRange<UInt32> {
      _ = try keep(number, 1 << 20, in: store)
      if number > 1 { store.release([id(number - 1)]) }
    }
    var status = stat()
    try #require(stat(String(decoding: path, as: UTF8.self), &status) == 0)
    let room = status.st_blocks * 512
    #expect(status.st_size > 20 << 20)
    // Not every file system can give back a part of a file.
    #expect(room <= 4 << 20 || room >= 20 << 20)
  }

  @Test("Only printed outputs are released, however often that is reported")
  func printed() throws {
    var state = JournalState()
    for number in 1...5 as ClosedRange<UInt32> {
      let kept = KeptOutput(number: number, .record(output: [UInt8(number)], error: []))
      state.apply(.settled(SampleJournal.end("\(number)", 1, kept: kept)))
    }
    for epoch in [2, 1, 1] as [UInt64] {
      state.apply(.printed(JournalPrinting(epoch: epoch, outputs: [2...3, 5...UInt32.max])))
    }
    #expect(state.unprinted.keys.map(\.number).sorted() == [1, 4])
    // Executed again, it prints what it writes then.
    state.apply(SampleJournal.settled("4", 2))
    #expect(state.unprinted == [KeptOutputID(epoch: 1, number: 1): SampleJournal.key("1")])
    #expect(state.outcomes.count == 5)
  }

  @Test("Kept outputs are read as they were written, whatever their bytes are")
  func records() throws {
    for bytes in [[], [0, 255, 10, 34], [UInt8](repeating: 1, count: KeptOutput.recordLimit)] {
      let message = String(repeating: "\u{1}", count: 1 << 13)
      let kept = KeptOutput(number: 7, .record(output: bytes, error: bytes.reversed()))
      let end = SampleJournal.end("", 1, .failed, message: message, kept: kept)
      var text = JournalBytes.withHeader
      text.append(.settled(end))
      guard case .settled(let read) = try JournalScan(text.bytes).entries.first?.record else {
        Issue.record("no settlement")
        continue
      }
      #expect(read.kept == kept)
    }
  }
}
