import PoolTestSupport
import PoolWire
import Testing

@testable import OperationPool
@testable import PoolContents

/// How pieces of outputs become lines, and when a command has to wait.
@Suite("Output lines")
struct OutputLinesTests {
  private func lines(of pieces: [OutputPiece]) -> [PoolOutputLine] {
    var splitter = OutputLineSplitter()
    var lines: [PoolOutputLine] = []
    for piece in pieces {
      splitter.take(piece)
      while let line = splitter.next() { lines.append(line) }
    }
    return lines
  }

  @Test(
    "However a text is cut into pieces, its lines are the same",
    arguments: RandomSeeds.first(50)
  )
  func pieces(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let text = (0..<Int.random(in: 0...300, using: &random)).map { _ in
      Int.random(in: 0..<5, using: &random) == 0
        ? UInt8(10) : UInt8.random(in: 97...122, using: &random)
    }
    var pieces: [OutputPiece] = []
    var rest = text[...]
    while !rest.isEmpty {
      let part = rest.prefix(Int.random(in: 1...40, using: &random))
      pieces.append(.bytes(Array(part), .output, attempt: 1))
      rest = rest.dropFirst(part.count)
    }
    let found = lines(of: pieces + [.end(attempt: 1)])
    var whole = text.split(separator: 10, omittingEmptySubsequences: false).map(Array.init)
    let isUnfinished = whole.last?.isEmpty == false
    if !isUnfinished { whole.removeLast() }
    #expect(found.map(\.bytes) == whole, "seed \(seed)")
    #expect(found.dropLast().allSatisfy { $0.endsLine }, "seed \(seed)")
    #expect(found.last.map { $0.endsLine } ?? true == !isUnfinished, "seed \(seed)")
  }

  @Test(
    "A line over the limit comes in parts, of which only the last ends it",
    arguments: [0, 1, 7]
  )
  func longLine(excess: Int) {
    let limit = PoolOutputLine.limit
    let bytes = [UInt8](repeating: 120, count: limit + excess) + [10]
    let found = lines(of: [.bytes(bytes, .error, attempt: 1), .end(attempt: 1)])
    #expect(found.map(\.bytes.count) == (excess == 0 ? [limit] : [limit, excess]))
    #expect(found.map(\.endsLine) == (excess == 0 ? [true] : [false, true]))
  }

  @Test("The two outputs do not mix, and an attempt ends both")
  func streams() {
    let found = lines(of: [
      .bytes(Array("a".utf8), .output, attempt: 1), .bytes(Array("b\nc".utf8), .error, attempt: 1),
      .bytes(Array("d\n".utf8), .output, attempt: 1), .end(attempt: 1),
      .bytes(Array("e\n".utf8), .error, attempt: 2), .end(attempt: 2),
    ])
    #expect(found.map(\.text) == ["b", "ad", "c", "e"])
    #expect(found.map(\.endsLine) == [true, true, false, true])
    #expect(found.map(\.attempt) == [1, 1, 1, 2])
  }

  @Test("A command waits from 256 KiB on until half of it was read")
  func load() {
    let lines = OutputLines()
    let chunk = OutputChunk(isError: false, bytes: [UInt8](repeating: 10, count: 64 << 10))
    for isFull in [false, false, false, true] {
      lines.append(chunk)
      #expect(lines.isFull == isFull)
    }
    for isFull in [true, false] {
      if case .piece = lines.poll() {} else { Issue.record("a piece is missing") }
      #expect(lines.isFull == isFull)
    }
  }

  @Test("What exceeds 4 MiB is counted, not kept; the end comes nevertheless")
  func omitted() {
    let lines = OutputLines()
    let chunk = OutputChunk(isError: true, bytes: [UInt8](repeating: 10, count: 1 << 20))
    for _ in 0..<6 { lines.append(chunk) }
    lines.end(1, with: AttemptReport(standardError: .rest(.inline([1, 2]), after: PassedOutput())))
    #expect(lines.omittedByteCount == 2 << 20)
    var ends = 0
    while case .piece(let piece) = lines.poll() { if case .end = piece { ends += 1 } }
    #expect(ends == 1)
    if case .over = lines.poll() {} else { Issue.record("it is not over") }
  }

  @Test("The rest in a report is added once")
  func rest() {
    let lines = OutputLines()
    lines.append(OutputChunk(isError: false, bytes: [1, 2]))
    lines.endAttempt(1, with: AttemptReport(standardOutput: .inline([1, 2, 3])))
    lines.end(2, with: AttemptReport(standardOutput: .inline([4])))
    var bytes: [UInt8] = []
    while case .piece(let piece) = lines.poll() {
      if case .bytes(let some, _, _) = piece { bytes += some }
    }
    #expect(bytes == [1, 2, 3, 4])
  }
}
