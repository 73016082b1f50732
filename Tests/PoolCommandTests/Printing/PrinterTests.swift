import OperationPool
import PoolSystem
import PoolTestSupport
import Synchronization
import Testing

@testable import PoolCommand
@testable import PoolContents
@testable import PoolReports

/// The thread that writes outputs.
@Suite("Printer")
struct PrinterTests {
  /// What a printer said of itself.
  private final class Told: Sendable {
    let readers = StreamReaderWait()
    let printed = Monitor<[Int]>([])
    let failures = Mutex<[PrinterFailure]>([])
    let lostCount = Mutex(0)

    func options(writingTo output: Int32, _ error: Int32) -> Printer.Options {
      var options = Printer.Options()
      (options.output, options.error) = (output, error)
      options.printed = { numbers in
        self.printed.withLock { $0 += numbers }
        self.printed.signal()
      }
      options.ended = { self.readers.note(endOf: .outputs) }
      options.lost = { self.lostCount.withLock { $0 += 1 } }
      options.failed = { failure in self.failures.withLock { $0.append(failure) } }
      return options
    }

    /// Closes the printer, and waits until all is written.
    func close(_ printer: Printer) {
      printer.close()
      #expect(readers.wait(for: .outputs, since: MonotonicClock.now))
    }
  }

  private func pair(_ output: String, _ error: String = "") -> OutputPair {
    OutputPair(output: .inline(Array(output.utf8)), error: .inline(Array(error.utf8)))
  }

  private func text(in descriptor: Int32) throws -> String {
    var bytes: [UInt8] = []
    try SystemIO.forEachPiece(of: descriptor, 0..<1_000_000) { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("Operations are reported as printed in the order of printing")
  func order() throws {
    let (output, error) = (try TemporaryFile.open(), try TemporaryFile.open())
    defer { for file in [output, error] { Descriptors.close(file) } }
    let told = Told()
    let printer = try Printer(told.options(writingTo: output, error))
    printer.print(7, pair("seven\n", "of 7\n"))
    printer.print(3, pair("three\n"))
    printer.print(5, pair("", "of 5\n"))
    told.close(printer)
    #expect(told.printed.withLock { $0 } == [7, 3, 5])
    #expect(try text(in: output) == "seven\nthree\n")
    #expect(try text(in: error) == "of 7\nof 5\n")
  }

  /// Those that wrote nothing have their turn, too.
  @Test("Where order is kept, operations are reported as printed at their turn")
  func turns() throws {
    let output = try TemporaryFile.open()
    defer { Descriptors.close(output) }
    let told = Told()
    var options = told.options(writingTo: output, output)
    options.keepsOrder = true
    let printer = try Printer(options)
    for number in [4, 2, 1, 0] { printer.print(number, pair(number == 1 ? "" : "\(number)\n")) }
    told.close(printer)
    // The last waits for one that never came.
    #expect(told.printed.withLock { $0 } == [0, 1, 2])
    #expect(try text(in: output) == "0\n2\n")
  }

  @Test("What of an operation's error output cannot be written is not reported; all else goes on")
  func lostErrors() throws {
    let output = try TemporaryFile.open()
    let full = try Descriptors.createFile(path: Array("/dev/full".utf8))
    defer { for file in [output, full] { Descriptors.close(file) } }
    let told = Told()
    let printer = try Printer(told.options(writingTo: output, full))
    printer.print(0, pair("zero\n"))
    printer.print(1, pair("one\n", "lost\n"))
    printer.say(Array("dropped\n".utf8))
    printer.print(2, pair("two\n"))
    printer.print(3, pair("", "lost\n"))
    told.close(printer)
    #expect(told.printed.withLock { $0 } == [0, 2])
    #expect(told.failures.withLock { $0 } == [])
    #expect(told.lostCount.withLock { $0 } == 2)
    #expect(printer.unprintedCount == 2)
    #expect(try text(in: output) == "zero\none\ntwo\n")
  }

  @Test("Results for the standard error that cannot be written are a failure")
  func lostResults() throws {
    let full = try Descriptors.createFile(path: Array("/dev/full".utf8))
    defer { Descriptors.close(full) }
    let told = Told()
    let printer = try Printer(told.options(writingTo: full, full))
    printer.write(errorLines: LineBatch(Array("line\n".utf8)))
    told.close(printer)
    #expect(told.failures.withLock { $0.map(\.stream) } == ["standard error"])
  }

  @Test("An error stream whose reader has gone is a failure")
  func goneReader() throws {
    let (output, pipe) = (try TemporaryFile.open(), try Descriptors.pipe())
    defer { for file in [output, pipe.write] { Descriptors.close(file) } }
    Descriptors.close(pipe.read, seenFrom: pipe.write)
    let told = Told()
    let printer = try Printer(told.options(writingTo: output, pipe.write))
    printer.print(0, pair("zero\n", "lost\n"))
    printer.print(1, pair("one\n"))
    told.close(printer)
    #expect(told.printed.withLock { $0 } == [])
    #expect(told.failures.withLock { $0.map(\.isClosedPipe) } == [true])
  }

  @Test("Buffered outputs are not reported as printed when their flush fails")
  func bufferedFailure() throws {
    let full = try Descriptors.createFile(path: Array("/dev/full".utf8))
    defer { Descriptors.close(full) }
    let told = Told()
    let printer = try Printer(told.options(writingTo: full, full))
    for number in 0..<5 { printer.print(number, pair("\(number)\n")) }
    told.close(printer)
    #expect(told.printed.withLock { $0 } == [])
    #expect(told.failures.withLock { $0.map(\.stream) } == ["standard output"])
  }

  /// The pipe's reader takes the first line, and goes.
  @Test("What lies in a pipe of which the reader has gone is not reported as printed")
  func unread() throws {
    let (pipe, error) = (try Descriptors.pipe(), try TemporaryFile.open())
    defer { for file in [pipe.write, error] { Descriptors.close(file) } }
    let told = Told()
    let printer = try Printer(told.options(writingTo: pipe.write, error))
    printer.print(0, pair("zero\n"))
    printer.print(1, pair("", "of 1\n"))
    printer.print(2, pair("two\n"))
    printer.write(lines: LineBatch(Array("end\n".utf8)))
    while Descriptors.unreadByteCount(in: pipe.write) < 13 { SystemIO.waitForRoom(pipe.write) }
    #expect(told.printed.withLock { $0 } == [])
    let line = UnsafeMutableRawBufferPointer.allocate(byteCount: 5, alignment: 1)
    defer { line.deallocate() }
    #expect(try SystemIO.readWaiting(pipe.read, into: line) == 5)
    Descriptors.close(pipe.read, seenFrom: pipe.write)
    told.close(printer)
    // One that shared a flush with what was not read may be printed again by a later run.
    #expect([[0], [0, 1]].contains(told.printed.withLock { $0 }))
  }

  @Test(
    "What a living reader has not read yet is reported as printed at the end, or once it is read"
  )
  func readLate() throws {
    let (pipe, error) = (try Descriptors.pipe(), try TemporaryFile.open())
    defer { for file in [pipe.read, pipe.write, error] { Descriptors.close(file) } }
    let told = Told()
    let printer = try Printer(told.options(writingTo: pipe.write, error))
    printer.print(0, pair("zero\n"))
    let line = UnsafeMutableRawBufferPointer.allocate(byteCount: 5, alignment: 1)
    defer { line.deallocate() }
    #expect(try SystemIO.readWaiting(pipe.read, into: line) == 5)
    told.printed.wait(while: { $0.isEmpty }, then: { _ in })
    printer.print(1, pair("one\n"))
    told.close(printer)
    #expect(told.printed.withLock { $0 } == [0, 1])
  }

  /// The thread stays in its system call, which nothing but the end of the process ends.
  @Test("A printer whose stream is not read can be abandoned, and says how much was not printed")
  func stuck() async throws {
    let pipe = try Descriptors.pipe()
    let told = Told()
    let printer = try Printer(told.options(writingTo: pipe.write, pipe.write))
    let long = String(repeating: "x", count: 100_000)
    for number in 0..<3 { printer.print(number, pair(long)) }
    printer.print(3, pair(""))
    printer.close()
    told.readers.end()
    #expect(!told.readers.wait(for: .outputs, since: 0))
    #expect(printer.abandon() == 3)
    // The reader comes too late for anything to count as printed.
    let rest = try await Blocking.run {
      var bytes = 0
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4_096, alignment: 16)
      defer { buffer.deallocate() }
      while bytes < 3 * 100_000 { bytes += try SystemIO.readWaiting(pipe.read, into: buffer) }
      return bytes
    }
    #expect(rest == 3 * 100_000)
    try await Blocking.run { while !told.readers.wait(for: .outputs, since: MonotonicClock.now) {} }
    #expect(told.printed.withLock { $0 } == [])
    for end in [pipe.read, pipe.write] { Descriptors.close(end) }
  }

  @Test("Lines of results are whole, between outputs")
  func lines() throws {
    let output = try TemporaryFile.open()
    defer { Descriptors.close(output) }
    let told = Told()
    let printer = try Printer(told.options(writingTo: output, output))
    for number in 0..<100 {
      printer.print(number, pair("begin of \(number)\n", "end of \(number)\n"))
      printer.write(lines: LineBatch(Array("line of \(number)\n".utf8)))
    }
    told.close(printer)
    let expected = (0..<100).map { "begin of \($0)\nend of \($0)\nline of \($0)\n" }.joined()
    #expect(try text(in: output) == expected)
  }

  @Test("Lines of results begin a line, whatever the output before them ends with")
  func lineStarts() throws {
    let output = try TemporaryFile.open()
    defer { Descriptors.close(output) }
    let told = Told()
    let printer = try Printer(told.options(writingTo: output, output))
    let long = String(repeating: "x", count: 100_000)
    let file = OpenFile(try TemporaryFile.open(holding: Array(long.utf8)))
    printer.write(lines: LineBatch([0x31, 0x0A]))
    printer.print(0, pair("a"))
    printer.write(lines: LineBatch([0x32, 0x0A]))
    printer.print(1, OutputPair(output: .file(OutputFile(0..<100_000, of: file)), error: .empty))
    printer.write(lines: LineBatch([0x33, 0x0A]))
    printer.print(2, pair("b\n"))
    printer.write(lines: LineBatch([0x34, 0x0A]))
    told.close(printer)
    #expect(try text(in: output) == "1\na\n2\n\(long)\n3\nb\n4\n")
  }

  @Test("What a closed terminal was to show is dropped, is no failure, and not reported as printed")
  func closedTerminal() throws {
    let terminal = try PseudoTerminal()
    let (output, error) = (try terminal.open(), try TemporaryFile.open())
    defer { for file in [output, error] { Descriptors.close(file) } }
    let told = Told()
    var options = told.options(writingTo: output, error)
    let hangUps = Mutex(0)
    options.hungUp = { hangUps.withLock { $0 += 1 } }
    let printer = try Printer(options)
    terminal.hangUp()
    for number in 0..<3 {
      printer.print(number, pair(number == 1 ? "" : "lost\n", "of \(number)\n"))
    }
    told.close(printer)
    // One that shared a flush with what was dropped may be printed again by a later run.
    #expect(told.printed.withLock { Set($0).isSubset(of: [1]) })
    #expect(told.failures.withLock { $0.isEmpty })
    #expect(hangUps.withLock { $0 } == 1)
    #expect(try text(in: error) == "of 0\nof 1\nof 2\n")
  }

  @Test("A message begins a line of its own on a terminal, behind outputs that left theirs open")
  func messages() throws {
    let terminal = try PseudoTerminal()
    let output = try terminal.open()
    let told = Told()
    let printer = try Printer(told.options(writingTo: output, output))
    printer.print(0, pair("open"))
    printer.say(Array("said\n".utf8))
    for piece in ["of a ", "worker\n"] { printer.say(Array(piece.utf8)) }
    told.close(printer)
    Descriptors.close(output)
    terminal.readToEnd()
    #expect(terminal.transcript == "open\r\nsaid\r\nof a worker\r\n")
  }
}
