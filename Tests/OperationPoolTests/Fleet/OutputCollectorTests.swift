import PoolModel
import PoolSystem
import Testing

@testable import OperationPool
@testable import PoolContents

/// Contract: pieces come out as one output, whatever their sizes, in memory while it is small.
@Suite("Output collectors")
struct OutputCollectorTests {
  private func bytes(of content: OutputContent) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try content.forEachPiece { bytes += $0 }
    return bytes
  }

  @Test(
    "pieces come out whole and in order",
    arguments: [[0], [1, 2, 3], [65_536], [65_536, 1], [65_537], [40_000, 40_000, 40_000, 7]]
  )
  func whole(sizes: [Int]) throws {
    let collector = OutputCollector()
    var expected: [UInt8] = []
    for (index, size) in sizes.enumerated() {
      let piece = [UInt8](repeating: UInt8(index), count: size)
      expected += piece
      collector.append(piece)
    }
    let content = collector.take()
    #expect(content.byteCount == Int64(expected.count))
    #expect(content.isFile == (expected.count > OutputCollector.memoryLimit))
    #expect(try bytes(of: content) == expected)
    #expect(collector.take().byteCount == 0, "and then the collector is empty")
  }

  @Test("what was passed on is counted and its beginning shown, and takes no file")
  func passed() throws {
    let collector = OutputCollector()
    for number in 0..<100 { collector.pass([UInt8](repeating: UInt8(number), count: 10_000)) }
    let rest: [UInt8] = [200, 201, 202]
    collector.append(rest)
    // Its reader gets it behind the rest.
    collector.pass([203])
    let content = collector.take()
    #expect(!content.isFile && !content.isEmpty)
    #expect(content.inlineCount == 65_540)
    #expect(content.byteCount == 1_000_004)
    #expect(content.prefix == (0..<65_536).map { UInt8($0 / 10_000) })
    #expect(try bytes(of: content) == rest + [203], "the rest alone is there")
    #expect(try bytes(of: content.dropFirst(1_000_000)) == rest + [203])
    #expect(try bytes(of: content.dropFirst(1_000_002)) == [202, 203])
    #expect(collector.take().isEmpty, "and then the collector is empty")
  }

  @Test("pieces of what is kept so far are read from memory and from the file")
  func piecesSoFar() {
    let collector = OutputCollector()
    #expect(collector.piece(5, from: nil) == WrittenPiece())
    collector.pass([1, 2, 3])
    #expect(collector.piece(5, from: nil) == WrittenPiece(end: 3), "what was passed on is not here")
    collector.append([4, 5, 6])
    #expect(collector.piece(2, from: nil) == WrittenPiece([5, 6], end: 6))
    #expect(collector.piece(9, from: 4) == WrittenPiece([5, 6], end: 6))
    #expect(collector.piece(2, from: 0) == WrittenPiece(end: 3))
    #expect(collector.piece(2, from: 9) == WrittenPiece(end: 6))
    collector.append([UInt8](repeating: 7, count: 100_000))
    collector.append([8])
    #expect(collector.piece(3, from: nil) == WrittenPiece([7, 7, 8], end: 100_007))
    #expect(collector.piece(2, from: 5) == WrittenPiece([6, 7], end: 7))
    #expect(collector.take().byteCount == 100_007)
  }

  @Test("the beginning of a short output is whole, wherever its parts are")
  func shortPassed() throws {
    let collector = OutputCollector()
    collector.pass([1, 2])
    collector.append([3])
    #expect(collector.take().prefix == [1, 2, 3])
    collector.pass([4])
    #expect(collector.take().prefix == [4])
  }

  @Test("an output is cut to its first 64 KiB where it is shown, and copied whole otherwise")
  func prefix() throws {
    let collector = OutputCollector()
    collector.append([UInt8](repeating: 1, count: 300_000))
    let content = collector.take()
    #expect(content.prefix == [UInt8](repeating: 1, count: 65_536))
    #expect(try bytes(of: content).count == 300_000)
    let limit = OutputLimit(byteCount: 100_000, fails: false)
    let report = AttemptReport(standardOutput: content)
      .keeping(OutputLimits(output: limit, error: limit))
    #expect(!report.standardOutput.isFile)
    #expect(report.standardOutput.kept == [UInt8](repeating: 1, count: 100_000))
    #expect(report.standardOutput.byteCount == 300_000)
  }
}
