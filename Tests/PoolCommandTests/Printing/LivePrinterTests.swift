import OperationPool
import PoolSystem
import PoolTestSupport
import Testing

@testable import PoolCommand
@testable import PoolContents
@testable import PoolReports

/// The printer's thread with outputs of operations that execute.
@Suite("Printer of live outputs")
struct LivePrinterTests {
  /// What a printer wrote, and which operations it reported.
  private final class Stage {
    let output: Int32
    let error: Int32
    let printed = Monitor<[Int]>([])
    private let readers = StreamReaderWait()
    let printer: Printer

    init(keepsOrder: Bool = false, lineLimit: Int = LiveLines.lineLimit) throws {
      (output, error) = (try TemporaryFile.open(), try TemporaryFile.open())
      var options = Printer.Options()
      (options.output, options.error) = (output, error)
      options.keepsOrder = keepsOrder
      options.lineLimit = lineLimit
      options.printed = { [printed] numbers in printed.withLock { $0 += numbers } }
      options.ended = { [readers] in readers.note(endOf: .outputs) }
      printer = try Printer(options)
    }

    deinit {
      for file in [output, error] { Descriptors.close(file) }
    }

    func piece(_ number: Int, _ text: String, isError: Bool = false, tag: String? = nil) {
      printer.print(
        LivePiece(
          number: number,
          stream: isError ? .error : .output,
          bytes: Array(text.utf8),
          tag: tag.map { Array($0.utf8) }
        )
      )
    }

    func end(_ number: Int, _ output: String, _ error: String = "", tag: String? = nil) {
      printer.print(number, Self.pair(output, error), tag: tag.map { Array($0.utf8) })
    }

    /// Ends an operation of whose output only the last part was kept.
    func end(_ number: Int, after byteCount: Int, _ rest: String) {
      let passed = PassedOutput(byteCount: Int64(byteCount))
      let output = OutputContent.rest(.inline(Array(rest.utf8)), after: passed)
      printer.print(number, OutputPair(output: output, error: .empty))
    }

    func endAttempt(_ number: Int, _ output: String) {
      printer.printAttempt(number, Self.pair(output, ""), tag: nil)
    }

    private static func pair(_ output: String, _ error: String) -> OutputPair {
      OutputPair(output: .inline(Array(output.utf8)), error: .inline(Array(error.utf8)))
    }

    /// Waits until all is written; returns both streams.
    func close() throws -> [String] {
      printer.close()
      #expect(readers.wait(for: .outputs, since: MonotonicClock.now))
      return try [output, error].map { descriptor in
        var bytes: [UInt8] = []
        try SystemIO.forEachPiece(of: descriptor, 0..<10_000_000) { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
      }
    }
  }

  @Test("Lines of several operations mix, and the end prints only what was not printed")
  func mixed() throws {
    let stage = try Stage()
    stage.piece(1, "a1\na")
    stage.piece(2, "b1\n")
    stage.piece(2, "e", isError: true)
    stage.piece(1, "2\n")
    stage.end(2, "b1\nb2\n", "e\nf\n")
    stage.piece(1, "rest")
    stage.end(1, "a1\na2\nrest of 1")
    #expect(try stage.close() == ["a1\nb1\na2\nb2\nrest of 1", "e\nf\n"])
    #expect(stage.printed.withLock { $0 } == [2, 1])
  }

  @Test("What was printed need not be kept, with order and without", arguments: [false, true])
  func counted(keepsOrder: Bool) throws {
    let stage = try Stage(keepsOrder: keepsOrder)
    stage.piece(0, "a1\na", tag: "a")
    stage.end(0, after: 4, "2\n")
    stage.piece(2, "c1\nc", tag: "c")
    stage.end(2, after: 4, "2\n")
    stage.piece(1, "b1\nb2\n", tag: "b")
    stage.end(1, after: 6, "")
    let texts = ["a\ta1\na\ta2\n", "b\tb1\nb\tb2\n", "c\tc1\nc\tc2\n"]
    let order = keepsOrder ? [0, 1, 2] : [0, 2, 1]
    #expect(try stage.close()[0] == order.map { texts[$0] }.joined())
    #expect(stage.printed.withLock { $0 } == order)
    #expect(stage.printer.unprintedCount == 0)
  }

  @Test("Tags begin each line of both streams, live or not")
  func tags() throws {
    let stage = try Stage()
    stage.piece(1, "a\nb", tag: "one")
    stage.piece(1, "e\n", isError: true, tag: "one")
    stage.end(1, "a\nb\nc", "e\nf\n", tag: "one")
    stage.end(2, "x\n\n", "y", tag: "two")
    #expect(
      try stage.close() == ["one\ta\none\tb\none\tc\ntwo\tx\ntwo\t\n", "one\te\none\tf\ntwo\ty"]
    )
  }

  @Test("A line over the limit is printed in pieces, with one tag")
  func longLine() throws {
    let stage = try Stage(lineLimit: 4)
    stage.piece(1, "abcdef", tag: "t")
    stage.piece(1, "g\nh", tag: "t")
    stage.end(1, "abcdefg\nhi\n", tag: "t")
    #expect(try stage.close()[0] == "t\tabcdefg\nt\thi\n")
  }

  /// The second has written before its turn, and writes on after it.
  @Test("Where order is kept, only the first is live; the next goes on live at its turn")
  func turns() throws {
    let stage = try Stage(keepsOrder: true)
    stage.piece(1, "b1\n", tag: "b")
    stage.piece(1, "e1\n", isError: true, tag: "b")
    stage.piece(0, "a1\n", tag: "a")
    stage.piece(1, "b2", tag: "b")
    stage.end(2, "c\n", tag: "c")
    stage.piece(0, "a2\n", tag: "a")
    stage.end(0, "a1\na2\n", tag: "a")
    stage.piece(1, "!\n", tag: "b")
    stage.end(1, "b1\nb2!\nb3\n", "e1\n", tag: "b")
    #expect(
      try stage.close() == ["a\ta1\na\ta2\nb\tb1\nb\tb2!\nb\tb3\nc\tc\n", "b\te1\n"]
    )
    #expect(stage.printed.withLock { $0 } == [0, 1, 2])
  }

  /// More than is kept in memory, of two operations in turn.
  @Test("What waits for its turn is whole, however much it is", arguments: RandomSeeds.first(5))
  func large(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let stage = try Stage(keepsOrder: true)
    var texts = ["", "", ""]
    for number in 0..<300 {
      let operation = Int.random(in: 1...2, using: &generator)
      let line = String(repeating: "\(number % 10)", count: 2_000) + "\n"
      texts[operation] += line
      stage.piece(operation, line)
    }
    stage.end(2, texts[2])
    stage.end(0, "zero\n")
    stage.piece(1, "more\n")
    stage.end(1, texts[1] + "more\n")
    #expect(try stage.close()[0] == "zero\n" + texts[1] + "more\n" + texts[2])
  }

  @Test("All attempts are printed; before their turn only the last")
  func attempts() throws {
    let live = try Stage()
    live.piece(0, "first\n")
    live.endAttempt(0, "first\npart")
    live.piece(0, "second\n")
    live.end(0, "second\n")
    #expect(try live.close()[0] == "first\npartsecond\n")
    let ordered = try Stage(keepsOrder: true)
    ordered.piece(1, "first\n")
    ordered.endAttempt(1, "first\n")
    ordered.piece(1, "second\n")
    ordered.end(0, "zero\n")
    ordered.end(1, "second\n")
    #expect(try ordered.close()[0] == "zero\nsecond\n")
  }
}
