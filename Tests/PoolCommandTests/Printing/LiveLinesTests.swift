import PoolTestSupport
import Testing

@testable import PoolCommand
@testable import PoolReports

/// Lines and tags of outputs that come in pieces.
@Suite("Text of live outputs")
struct LiveLinesTests {
  private func take(_ piece: String, _ text: inout LiveLines) -> String {
    String(decoding: Array(piece.utf8).withUnsafeBytes { text.take($0) }, as: UTF8.self)
  }

  private func end(_ text: inout LiveLines) -> String {
    String(decoding: text.end(), as: UTF8.self)
  }

  private func tagged(_ pieces: [String], _ tag: String) -> String {
    var text = LineTagger(tag: Array(tag.utf8))
    return pieces.map { piece in
      String(decoding: Array(piece.utf8).withUnsafeBytes { text.tagged($0) }, as: UTF8.self)
    }.joined()
  }

  @Test("A line is passed on with its end, and the last one at the end")
  func lines() {
    var text = LiveLines()
    let taken = ["a", "b\nc", "\n\n", "", "d\r\ne"].map { take($0, &text) }
    #expect(taken == ["", "ab\n", "c\n\n", "", "d\r\n"])
    #expect(end(&text) == "e")
    #expect(end(&text) == "")
    #expect(text.byteCount == 10)
  }

  @Test("A line over the limit is passed on in pieces, and one of the limit is not")
  func longLine() {
    var text = LiveLines(limit: 4)
    let taken = ["abcd", "e", "fg", "h\ni", "jklm", "n\n"].map { take($0, &text) }
    #expect(taken == ["", "abcde", "", "fgh\n", "ijklm", "n\n"])
    #expect(end(&text) == "")
  }

  @Test("Without waiting, every piece is passed on as it came")
  func noLimit() {
    var text = LiveLines(limit: 0)
    let taken = ["a", "b\nc", "\n"].map { take($0, &text) }
    #expect(taken == ["a", "b\nc", "\n"])
  }

  @Test("Every line gets its tag once, wherever it is cut")
  func tags() {
    #expect(tagged(["a\nb\n"], "t ") == "t a\nt b\n")
    #expect(tagged(["a", "b\n", "\n", "c"], "t ") == "t ab\nt \nt c")
    #expect(tagged(["a\r\nb\rc"], "t ") == "t a\r\nt b\rc")
    #expect(tagged(["", ""], "t ") == "")
    #expect(tagged(["a\nb"], "") == "a\nb")
  }

  @Test("Any pieces give the same lines and tags", arguments: RandomSeeds.first(20))
  func pieces(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let whole = (0..<400).map { _ in
      String("ab\n".randomElement(using: &generator) ?? "a")
    }.joined()
    var rest = Substring(whole)
    var pieces: [String] = []
    while !rest.isEmpty {
      let piece = rest.prefix(Int.random(in: 1...20, using: &generator))
      pieces.append(String(piece))
      rest = rest.dropFirst(piece.count)
    }
    #expect(tagged(pieces, "<t>") == tagged([whole], "<t>"))
    var text = LiveLines(limit: 8)
    let taken = pieces.map { take($0, &text) } + [end(&text)]
    #expect(taken.joined() == whole)
    // What is kept is a line, or the start of one.
    var count = 0
    for (piece, taken) in zip(pieces, taken) {
      count += piece.utf8.count - taken.utf8.count
      #expect(count <= 8)
      #expect(count == 0 || !whole.isEmpty)
    }
  }

  @Test("A tag is made safe for a terminal only")
  func terminal() {
    let tag = Array("a\u{1B}[2J\n".utf8)
    let tags = LineTags(tag, isOutputTerminal: true, isErrorTerminal: false)
    #expect(String(decoding: tags.output, as: UTF8.self) == "a\\x1B[2J\\n\t")
    #expect(tags.error == tag + [9])
    #expect(LineTags(nil, isOutputTerminal: true, isErrorTerminal: true).isEmpty)
  }
}
