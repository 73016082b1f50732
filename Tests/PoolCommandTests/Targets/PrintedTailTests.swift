import OperationPool
import PoolJournal
import PoolSystem
import PoolTestSupport
import Testing

@testable import PoolCommand
@testable import PoolContents
@testable import PoolReports

/// Contract: of the outputs that a journal keeps, those that are in the file behind the standard
/// output are recognized by their bytes, whatever else is there.
@Suite("What an interrupted run has printed")
struct PrintedTailTests {
  private func id(_ number: UInt32) -> KeptOutputID { KeptOutputID(epoch: 1, number: number) }

  /// Outputs, numbered from 1; what follows a bar is the error output.
  private func candidates(_ outputs: [String]) -> [PrintedTail.Candidate] {
    outputs.enumerated().map { index, text in
      let parts = text.split(separator: "|", omittingEmptySubsequences: false)
      let contents = parts.map { OutputContent.inline(Array($0.utf8)) }
      let error = contents.count > 1 ? contents[1] : .empty
      let outputs = OutputPair(output: contents[0], error: error)
      return PrintedTail.Candidate(id: id(UInt32(index + 1)), outputs: outputs)
    }
  }

  /// Searches a file that has 3 bytes of which the journal knows.
  private func tail(_ text: String, _ outputs: [String]) throws -> PrintedTail {
    let file = try TemporaryFile.open(holding: Array("...".utf8) + Array(text.utf8))
    return PrintedTail(of: OpenFile(file), from: 3, candidates(outputs))
  }

  @Test("Whole outputs are found, and of one more its beginning")
  func torn() throws {
    let found = try tail("a\nbb\ncc", ["a\n", "bb\n", "ccc\n", "d\n"])
    #expect(found.whole == [id(1), id(2)])
    #expect(found.begun?.id == id(3) && found.begun?.offset == 8 && found.begun?.byteCount == 2)
  }

  @Test("They may be in another order, and some may not be there")
  func order() throws {
    let found = try tail("d\na\nd\n", ["a\n", "b\n", "d\n", "d\n", ""])
    #expect(found.whole == [id(1), id(3), id(4)] && found.begun == nil)
  }

  @Test("What another program has written ends the search", arguments: ["x\n", "x\na\nb\n", "a"])
  func foreign(text: String) throws {
    let found = try tail("a\n" + text, ["a\n", "b\n"])
    #expect(found.whole == [id(1)] && found.begun == nil)
  }

  @Test("Nothing is found where nothing was added, nor in a file that was cut")
  func nothing() throws {
    #expect(try tail("", ["a\n"]).isEmpty)
    let short = try TemporaryFile.open(holding: [0x2E])
    #expect(PrintedTail(of: OpenFile(short), from: 3, candidates(["a\n"])).isEmpty)
  }

  @Test("Of outputs that begin one another, none counts that may not be there")
  func prefixes() throws {
    let outputs = ["x\n", "x\ny\n", "z\n"]
    #expect(try tail("x\ny\n", outputs).whole == [id(2)])
    #expect(try tail("x\ny\nx\nz\n", outputs).whole == [id(1), id(2), id(3)])
    // The first could be either, and what follows is unknown.
    #expect(try tail("z\nx\ny\n?\n", outputs).whole == [id(3)])
  }

  @Test("One that ended long after those behind it is found, and many are in their order")
  func many() throws {
    let numbers = (1...300).map { "number \($0)\n" }
    let found = try tail("last\n" + numbers.joined(), numbers + ["last\n"])
    #expect(found.whole.count == 301 && found.begun == nil)
  }

  @Test("The error output of the last one is printed: it may be missing")
  func error() throws {
    let found = try tail("a\nb\n", ["a\n|e", "b\n|e", "c\n"])
    #expect(found.whole == [id(1)])
    #expect(found.begun?.id == id(2) && found.begun?.offset == 5 && found.begun?.byteCount == 2)
    #expect(try tail("a\nb\n", ["a\n|e", "b\n"]).whole == [id(1), id(2)])
  }

  @Test("Outputs of more than is read at once are compared to their ends")
  func large() throws {
    let large = String(repeating: "x", count: 3_000_000)
    let file = try TemporaryFile.open(holding: Array((large + "y").utf8))
    let stored = OutputContent.file(OutputFile(0..<3_000_001, of: OpenFile(file)))
    let candidate = PrintedTail.Candidate(
      id: id(1),
      outputs: OutputPair(output: stored, error: .empty)
    )
    for (last, isWhole) in [("y", true), ("z", false), ("", false)] {
      let printed = try TemporaryFile.open(holding: Array((large + last).utf8))
      let found = PrintedTail(of: OpenFile(printed), from: 0, [candidate])
      #expect(found.whole.contains(id(1)) == isWhole)
      #expect((found.begun?.byteCount == 3_000_000) == last.isEmpty)
    }
  }
}
