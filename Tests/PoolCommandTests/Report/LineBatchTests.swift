import Foundation
import OperationPool
import PoolEvents
import PoolJournal
import PoolModel
import PoolSystem
import PoolTestSupport
import PoolWire
import Synchronization
import Testing

@testable import PoolCommand
@testable import PoolContents
@testable import PoolInputs
@testable import PoolReports

/// Contract: lines with large results are what they would be if they were made whole.
@Suite("Lines with large results")
struct LineBatchTests {
  /// JSON of more than 64 KiB, with line feeds between its tokens, also where a piece ends.
  private static let large =
    Array("[".utf8)
    + (0..<60_000).flatMap { Array((String($0) + ",\r\n").utf8) } + Array("\"\\n\"]".utf8)

  private func line(_ id: String, _ result: [UInt8], number: Int = 0) -> ResultLine {
    let record = EndRecord(number: number, ending: .succeeded)
    var line = ResultLine(record, OperationDescription(id: Array(id.utf8)))
    line.result = ResultContent(result)
    return line
  }

  private func expected(_ id: String, _ result: [UInt8]) -> String {
    var writer = JSONWriter()
    line(id, Array("null".utf8)).append(to: &writer)
    let json = String(decoding: result, as: UTF8.self)
      .replacing("\r\n", with: "  ")
      .replacing("\n", with: " ")
    return String(decoding: writer.bytes, as: UTF8.self)
      .replacing(#""result":null"#, with: #""result":\#(json)"#)
  }

  private func text(of lines: LineBatch) throws -> String {
    var bytes: [UInt8] = []
    try lines.forEachPiece { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A batch of a small, a large, and again both results, and its text.
  private func sample() -> (LineBatch, String) {
    let small = Array("[1,\n2]".utf8)
    var writer = JSONWriter()
    var insertions: [LineBatch.Insertion] = []
    var text = ""
    for (id, result) in [("a", small), ("b", Self.large), ("c", Self.large), ("d", small)] {
      let line = line(id, result)
      if let offset = line.append(to: &writer), let result = line.result {
        insertions.append((offset, result))
      }
      text += expected(id, result)
    }
    #expect(insertions.count == 2)
    return (LineBatch(writer.bytes, insertions), text)
  }

  @Test("A large result is in its place, in one line, and counted")
  func place() throws {
    let (lines, expected) = sample()
    #expect(try text(of: lines) == expected)
    #expect(expected.split(separator: "\n").count == 4)
    #expect(try text(of: lines.onNewLine) == "\n" + expected)
    #expect(lines.inlineCount > Self.large.count * 2)
    #expect(try text(of: LineBatch([])).isEmpty)
  }

  @Test("A file gets them at once, and the journal is told how it ends")
  func file() throws {
    let folder = try TestFolder()
    let path = Array(folder.path(of: "results").utf8)
    let told = Mutex<[([Int], TargetExtent?)]>([])
    let sink = LineSink(.file(try Descriptors.createFile(path: path))) { operations, extent in
      told.withLock { $0.append((operations, extent)) }
    }
    let workload = try Manifest(Array(#"{"id":"a","kind":"k"}"#.utf8))
    let waiting = Mutex(0)
    let results = ResultsFile(sink, of: workload, RunIdentity(since: .zero, nil)) {
      waiting.withLock { $0 += 1 }
    }
    results.append(line("a", Self.large, number: 7), at: .zero)
    #expect(waiting.withLock { $0 } == 0)
    let written = folder.bytes(of: "results")
    #expect(String(decoding: written, as: UTF8.self) == expected("a", Self.large))
    let (operations, extent) = try #require(told.withLock { $0.first })
    #expect(operations == [7])
    #expect(extent == TargetExtent(length: Int64(written.count), endingIn: written))
    // The next line has no result of the one before.
    results.append(line("b", [0x31], number: 8), at: .zero)
    #expect(waiting.withLock { $0 } == 1)
    results.flush()
    let rest = folder.bytes(of: "results").dropFirst(written.count)
    #expect(String(decoding: rest, as: UTF8.self) == expected("b", [0x31]))
  }

  @Test("A printer writes them to either stream, each after what it has printed before")
  func printer() throws {
    let files = (try TemporaryFile.open(), try TemporaryFile.open())
    defer { for file in [files.0, files.1] { Descriptors.close(file) } }
    let readers = StreamReaderWait()
    var options = Printer.Options()
    (options.output, options.error) = files
    options.ended = { readers.note(endOf: .outputs) }
    let printer = try Printer(options)
    let open = OutputContent.inline(Array("open".utf8))
    printer.print(0, OutputPair(output: open, error: open))
    let (lines, expected) = sample()
    printer.write(lines: lines)
    printer.write(errorLines: lines)
    printer.close()
    #expect(readers.wait(for: .outputs, since: MonotonicClock.now))
    for file in [files.0, files.1] {
      var bytes: [UInt8] = []
      try SystemIO.forEachPiece(of: file, 0..<10_000_000) { bytes += $0 }
      #expect(String(decoding: bytes, as: UTF8.self).hasSuffix("open\n" + expected))
    }
  }

  @Test("A result in a file is read when it is written; a small one at once")
  func kept() throws {
    let file = try TemporaryFile.open(holding: Array("..".utf8) + Self.large)
    let open = OpenFile(file)
    let end = Int64(Self.large.count) + 2
    let large = try #require(ResultContent(OutputFile(2..<end, of: open)))
    #expect(!large.isSmall && large.inlineCount == 0 && large.storedCount == Self.large.count)
    #expect(try large.json() == Self.large)
    let small = try #require(ResultContent(OutputFile(2..<5, of: open)))
    #expect(small.isSmall && small.inlineCount == 3)
    #expect(throws: SystemFailure.cancelled) {
      var count = 0
      try large.forEachPiece(
        while: {
          count += 1
          return count < 2
        },
        { _ in }
      )
    }
  }
}
