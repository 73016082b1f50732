import PoolSystem
import PoolTestSupport
import Testing

@testable import PoolCommand
@testable import PoolReports

/// Contract: whatever was written before the progress line came is there after it went, and what is
/// written next goes on behind it.
@Suite("The progress line on a screen")
struct ProgressScreenTests {
  private static let columns = 12

  /// A terminal with a progress line, and one that is sent the outputs alone.
  private struct Pair {
    var progress = ProgressScreen()
    var shown = ScreenModel(columns: columns, rows: 4)
    var plain = ScreenModel(columns: columns, rows: 4)

    mutating func write(_ text: String) {
      send(progress.clear())
      // As terminals are set up, a line feed also returns to the first column.
      for piece in [text.replacing("\n", with: "\r\n")] {
        shown.receive(piece)
        plain.receive(piece)
      }
      text.utf8.withContiguousStorageIfAvailable { progress.wrote(UnsafeRawBufferPointer($0)) }
    }

    mutating func draw(_ lines: String...) {
      draw(lines.isEmpty ? ["1/2, 1 exec"] : lines)
    }

    mutating func draw(_ lines: [String]) {
      send(progress.show(lines, columns: columns))
    }

    mutating func send(_ bytes: [UInt8]) { shown.receive(String(decoding: bytes, as: UTF8.self)) }
  }

  @Test("Behind a text without a line feed the line stands below, also in the last row")
  func below() {
    var pair = Pair()
    pair.write("1\n2\n3\nfour")
    pair.draw()
    pair.draw()
    #expect(pair.shown.lines == ["1", "2", "3", "four", "1/2, 1 exec"])
    pair.write("ty\n")
    pair.draw()
    #expect(pair.shown.lines == ["1", "2", "3", "fourty", "1/2, 1 exec"])
  }

  @Test(
    "Where the cursor's place is not certain nothing is drawn until the line is complete",
    arguments: [
      "123456789012", "a\tb", "50%\r", "a\u{8}", "\u{1B}[2Cab", "\u{1B}[1", "漢字漢字漢字漢",
      String(repeating: "x", count: 5_000), String(repeating: "x", count: 24),
    ]
  )
  func uncertain(_ text: String) {
    var pair = Pair()
    pair.write(text)
    pair.draw()
    #expect(!pair.progress.isShown)
    pair.write("\n")
    pair.draw()
    #expect(pair.progress.isShown)
  }

  @Test(
    "Colours take no room",
    arguments: ["\u{1B}[31mred\u{1B}[0m", "\u{1B}[38;2;1;2;3mred\u{1B}[m"]
  )
  func colours(_ text: String) {
    var pair = Pair()
    pair.write(text)
    pair.draw()
    #expect(pair.shown.lines == ["red", "1/2, 1 exec"])
  }

  @Test("Text in pieces is as text in one", arguments: 0..<200)
  func random(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var pair = Pair()
    let pieces = ["a", "bc", "\n", "12345", "\u{1B}[1m", "漢", "ü", "\n\n", "a longer text", "x\ny"]
    for _ in 0..<60 {
      if Int.random(in: 0..<3, using: &generator) == 0 {
        pair.draw()
      } else {
        pair.write(pieces.randomElement(using: &generator) ?? "")
      }
    }
    pair.send(pair.progress.clear())
    #expect(pair.shown.lines == pair.plain.lines, "seed \(seed)")
  }

  @Test("Lines change, come and go, and what was written before stays", arguments: 0..<300)
  func blocks(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var pair = Pair()
    let pieces = ["a", "bc", "\n", "12345", "\u{1B}[1m", "one\ntwo\n", "x\ny"]
    for _ in 0..<60 {
      guard Int.random(in: 0..<4, using: &generator) > 0 else {
        pair.write(pieces.randomElement(using: &generator) ?? "")
        continue
      }
      let lines = (0..<Int.random(in: 1...3, using: &generator)).map { row in
        "\(row): \(Int.random(in: 0..<3, using: &generator))"
      }
      pair.draw(lines)
      guard pair.progress.isShown else { continue }
      var above = pair.shown.lines
      #expect(Array(above.suffix(lines.count)) == lines, "seed \(seed)")
      above.removeLast(lines.count)
      while above.last?.isEmpty == true { above.removeLast() }
      #expect(above == pair.plain.lines, "seed \(seed)")
    }
    pair.send(pair.progress.clear())
    #expect(pair.shown.lines == pair.plain.lines, "seed \(seed)")
  }

  @Test("Only lines that change are sent")
  func changes() {
    var screen = ProgressScreen()
    func sent(_ lines: String...) -> String {
      String(decoding: screen.show(lines, columns: 12), as: UTF8.self)
    }
    #expect(sent("a", "b") == "\r\u{1B}[Ja\r\nb\u{1B}[1A\r")
    #expect(sent("a", "b").isEmpty)
    #expect(sent("a", "c") == "\u{1B}[1B\rc\u{1B}[K\u{1B}[1A\r")
    #expect(sent("a", "c", "d") == "\u{1B}[1B\n\rd\u{1B}[K\u{1B}[2A\r")
    #expect(sent("x") == "\rx\u{1B}[K\u{1B}[1B\r\u{1B}[J\u{1B}[1A\r")
  }

  @Test("There is a line where the terminal can do it, and nothing else uses it")
  func choice() {
    let usual = ProgressChoice(isErrorTerminal: true, terminalType: Array("xterm".utf8))
    #expect(usual.style == .block)
    let changes: [(inout ProgressChoice) -> Void] = [
      { $0.isErrorTerminal = false }, { $0.terminalType = nil }, { $0.terminalType = [] },
      { $0.terminalType = Array("dumb".utf8) }, { $0.isQuiet = true }, { $0.isOutputPipe = true },
      { $0.request = .hidden },
    ]
    for (number, change) in changes.enumerated() {
      var choice = usual
      change(&choice)
      #expect(choice.style == .hidden, "\(number)")
      if choice.request == nil { choice.request = .line }
      // Asked for, it comes in spite of a pipe and of silence.
      #expect((choice.style == .line) == (number == 4 || number == 5), "\(number)")
    }
  }
}
