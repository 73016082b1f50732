import PoolModel
import PoolSystem
import PoolTestSupport
import PoolWire
import Testing

@testable import OperationPool

/// Contract: text is its operation's, in whichever order marks and frames are read; lines are
/// bounded.
@Suite("Printed text")
struct PrintedOutputTests {
  private let mark = PrintMark(number: 5)

  private func number(_ value: UInt64) -> DispatchNumber { DispatchNumber(rawValue: value) }

  private func ended(_ text: String, _ dispatch: UInt64) -> [UInt8] {
    Array(text.utf8) + mark.bytes(of: reference(dispatch))
  }

  private func reference(_ dispatch: UInt64) -> DispatchReference {
    DispatchReference(operation: OperationID(rawValue: dispatch), dispatch: number(dispatch))
  }

  private func stream(_ bytes: [UInt8]...) -> PrintedStream {
    var stream = PrintedStream()
    stream.begin(mark)
    for bytes in bytes { append(bytes, to: &stream) }
    return stream
  }

  private func append(_ bytes: [UInt8], to stream: inout PrintedStream) {
    bytes.withUnsafeBytes { stream.append($0) { _ in } }
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test("Text before a mark waits for the frame that names it, text behind it stays")
  func frames() {
    var stream = stream(ended("one", 1), ended("two", 2), Array("three".utf8))
    #expect(stream.hasMark(of: number(2)))
    #expect(!stream.hasMark(of: number(3)))
    let marked = (1...3 as ClosedRange<UInt64>).map { text(stream.takeMarked(upTo: number($0))) }
    #expect(marked == ["one", "two", ""])
    let unmarked = (0..<2).map { _ in text(stream.takeUnmarked()) }
    #expect(unmarked == ["three", ""])
  }

  @Test("A mark that comes after its frame leaves its text to no operation")
  func lateMark() {
    var stream = stream()
    var marked = stream.takeMarked(upTo: number(4))
    #expect(marked.isEmpty)
    append(ended("late", 4), to: &stream)
    let stray = (0..<2).map { _ in text(stream.takeStray()) }
    #expect(stray == ["late", ""])
    append(ended("next", 5), to: &stream)
    marked = stream.takeMarked(upTo: number(5))
    #expect(text(marked) == "next")
  }

  @Test("Marks that no frame names keep no more than 1 MiB")
  func bound() {
    var stream = stream()
    let much = String(repeating: "x", count: 300 << 10)
    for dispatch in 1...4 as ClosedRange<UInt64> { append(ended(much, dispatch), to: &stream) }
    let (stray, marked) = (stream.takeStray(), stream.takeMarked(upTo: number(4)))
    #expect(stray.count == 300 << 10)
    #expect(marked.count == 900 << 10)
  }

  @Test("At the end, what waits for frames is text like any other")
  func end() {
    var stream = stream(ended("one ", 1), Array("two \u{1E}opo".utf8))
    var rest: [UInt8] = []
    stream.end { rest += $0 }
    let unmarked = stream.takeUnmarked()
    #expect(text(unmarked) == "one two \u{1E}opo")
    #expect(text(rest) == "\u{1E}opo")
  }

  @Test("Without marks, all text is unmarked")
  func noMarks() {
    var stream = PrintedStream()
    append(ended("one", 1), to: &stream)
    let unmarked = stream.takeUnmarked()
    #expect(unmarked == ended("one", 1))
  }

  @Test("Lines end at line feeds, with or without a carriage return, in pieces of any size")
  func lines() {
    let bytes = Array("one\r\n\ntwo\rhalf\nrest".utf8)
    for size in 1...bytes.count {
      var cutter = LineCutter()
      var lines: [PrintedLine] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        lines += cutter.cut(Array(rest.prefix(size)))
        rest = rest.dropFirst(size)
      }
      #expect(lines.map { text($0.bytes) } == ["one", "", "two\rhalf"])
      let ends = (0..<2).map { _ in cutter.end().map { text($0.bytes) } }
      #expect(ends == ["rest", nil])
    }
  }

  @Test("Marks that no frame names are bounded, even without text")
  func manyMarks() {
    var stream = stream(ended("text", 1))
    for number in 2...UInt64(PrintedStream.limit / 64) { append(ended("", number), to: &stream) }
    #expect(text(stream.takeStray()) == "text")
    #expect(text(stream.takeMarked(upTo: number(1))).isEmpty)
  }

  @Test("A line of the limit is whole, a longer one is not", arguments: [-1, 0, 1, 100_000])
  func longLine(_ excess: Int) {
    var cutter = LineCutter()
    let count = LineCutter.limit + excess
    let lines = cutter.cut([UInt8](repeating: 0x78, count: count) + [0x0A])
    #expect(lines.map(\.bytes.count) == [min(count, LineCutter.limit)])
    #expect(lines.map(\.omittedCount) == [max(excess, 0)])
  }

  @Test("An unfinished line ends where another operation prints")
  func owners() {
    var printing = WorkerPrinting()
    let first = printing.give(Array("a\nb".utf8), to: reference(1))
    #expect(first.map(\.lines.count) == [1])
    let deliveries = printing.give(Array("c\n".utf8), to: reference(2))
    #expect(deliveries.map(\.owner) == [reference(1), reference(2)])
    #expect(deliveries.flatMap(\.lines).map { text($0.bytes) } == ["b", "c"])
    let outputs = [1, 2, 2].map { text(printing.takeOutput(of: reference($0)).0) }
    #expect(outputs == ["", "c\n", ""])
  }

  /// The printer calls what the loop gives it when it has room again.
  private func waitForRoom(of printer: StandardErrorPrinter) async {
    await withCheckedContinuation { continuation in
      if !printer.isFull(else: { continuation.resume() }) { continuation.resume() }
    }
  }

  @Test("A slow reader gets all lines in order, and the printer is full until then")
  func slowReader() async throws {
    let pipe = try Descriptors.pipe()
    let printer = StandardErrorPrinter(descriptor: pipe.write)
    let lines = (0..<50_000).map { Array("line \($0)\n".utf8) }
    for line in lines { printer.print(line) }
    #expect(printer.isFull {})
    let expected = Array(lines.joined())
    let text = try await Blocking.run {
      var text: [UInt8] = []
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
      defer { buffer.deallocate() }
      while text.count < expected.count {
        text += buffer[..<(try SystemIO.readWaiting(pipe.read, into: buffer))]
      }
      return text
    }
    #expect(text == expected)
    await waitForRoom(of: printer)
    for descriptor in [pipe.read, pipe.write] { Descriptors.close(descriptor) }
  }

  /// It says that it has room for a line, and takes a part of one.
  @Test("A terminal that is not read holds up its printer's thread alone")
  func stalledTerminal() async throws {
    let terminal = try PseudoTerminal()
    let descriptor = try terminal.open()
    let printer = StandardErrorPrinter(descriptor: descriptor)
    let line = [UInt8](repeating: 0x78, count: 99) + [0x0A]
    let count = try await Blocking.run {
      var count = 0
      while !printer.isFull(else: {}) {
        printer.print(line)
        count += 1
      }
      return count
    }
    // A terminal writes two bytes for a line feed. Closed earlier, the descriptor's number could be
    // another file's by the thread's next write.
    #expect(terminal.wait { $0.bytes.count == count * (line.count + 1) })
    await waitForRoom(of: printer)
    terminal.hangUp()
    Descriptors.close(descriptor)
  }

  @Test("Lines for a pipe without a reader are dropped")
  func lostReader() async throws {
    let pipe = try Descriptors.pipe()
    Descriptors.close(pipe.read)
    let printer = StandardErrorPrinter(descriptor: pipe.write)
    try await Blocking.run(mask: .full) {
      for _ in 0..<10 { printer.print([UInt8](repeating: 0x78, count: 100_000)) }
    }
    await waitForRoom(of: printer)
    Descriptors.close(pipe.write)
  }

  @Test("A printer is full from 256 KiB on, until half of that waits")
  func load() {
    var load = PrinterLoad()
    var isTaken = load.add(200 << 10)
    #expect(isTaken && !load.isFull)
    isTaken = load.add(56 << 10)
    #expect(isTaken && load.isFull)
    isTaken = load.add(4 << 20)
    #expect(!isTaken)
    let hasRoom = [127 << 10, 1 << 10, 1 << 10].map { load.remove($0) }
    #expect(hasRoom == [false, true, false])
    #expect(!load.isFull)
  }
}
