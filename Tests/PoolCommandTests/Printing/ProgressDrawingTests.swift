import PoolTestSupport
import Testing

@testable import PoolReports

/// Contract: a terminal is sent what changes, each change in one piece.
@Suite("Drawings of the progress line")
struct ProgressDrawingTests {
  private let columns = 30

  /// A terminal, its progress line, and everything that it was sent.
  private struct Scene {
    var drawing: ProgressDrawing
    var screen = ScreenModel(columns: 30, rows: 6)
    var sent = ""

    init(_ features: TerminalFeatures = TerminalFeatures()) {
      drawing = ProgressDrawing(features)
    }

    mutating func send(_ bytes: [UInt8]) {
      sent = String(decoding: bytes, as: UTF8.self)
      screen.receive(sent.replacing("\n", with: "\r\n"))
    }

    mutating func show(_ line: String, share: TerminalShare = .none, columns: Int = 30) {
      send(drawing.show(ProgressText(line, share: share), columns: columns))
    }

    mutating func write(_ text: String, _ line: String?) {
      let text = Array(text.utf8)
      let new = line.map { ProgressText($0) }
      send(text.withUnsafeBytes { drawing.frame(around: $0, new, columns: 30) })
    }
  }

  @Test("An output and the line below it come in one piece, which begins where the line was")
  func frame() {
    var scene = Scene()
    scene.show("1/3, 2 executing")
    scene.write("one\n", "2/3, 1 executing")
    #expect(scene.sent == "\r\u{1B}[Jone\n\r\u{1B}[J2/3, 1 executing\r")
    #expect(scene.screen.lines == ["one", "2/3, 1 executing"])
    scene.write("two\n", nil)
    #expect(scene.screen.lines == ["one", "two"])
  }

  @Test("A line that says the same is not sent again, unless the terminal has another width")
  func unchanged() {
    var scene = Scene()
    scene.show("1/3")
    scene.show("1/3")
    #expect(scene.sent.isEmpty)
    scene.show("1/3", columns: 40)
    #expect(scene.sent == "\r\u{1B}[J1/3\r")
    scene.send(scene.drawing.clear())
    scene.show("1/3", columns: 40)
    #expect(scene.sent == "\r\u{1B}[J1/3\r")
  }

  @Test("In the background, other text is sent as it is")
  func background() {
    var scene = Scene(TerminalFeatures(hasSynchronizedUpdates: true, showsShare: true))
    scene.show("1/3")
    scene.send(Array("out\n".utf8).withUnsafeBytes { scene.drawing.pass($0) })
    #expect(scene.sent == "out\n")
    #expect(!scene.drawing.isShown)
  }

  @Test("A terminal that can show a change at once is told where it begins and ends")
  func synchronized() {
    var scene = Scene(TerminalFeatures(hasSynchronizedUpdates: true))
    scene.show("1/3")
    #expect(scene.sent == "\u{1B}[?2026h\r\u{1B}[J1/3\r\u{1B}[?2026l")
    scene.show("1/3")
    #expect(scene.sent.isEmpty)
    scene.write("out\n", "2/3")
    #expect(
      scene.sent == "\u{1B}[?2026h\r\u{1B}[Jout\n\r\u{1B}[J2/3\r\u{1B}[?2026l"
    )
    #expect(scene.screen.lines == ["out", "2/3"])
  }

  @Test("A terminal that shows how much has ended is told so when that changes, and at the end")
  func share() {
    var scene = Scene(TerminalFeatures(showsShare: true))
    scene.show("1/3", share: .ended(percent: 33))
    #expect(scene.sent == "\u{1B}]9;4;1;33\u{1B}\\\r\u{1B}[J1/3\r")
    scene.show("1/3, 2 s", share: .ended(percent: 33))
    #expect(scene.sent == "\r1/3, 2 s\u{1B}[K\r")
    scene.show("1/3, 2 s", share: .failing(percent: 33))
    #expect(scene.sent == "\u{1B}]9;4;2;33\u{1B}\\")
    scene.show("1/3, 2 s", share: .unknown)
    #expect(scene.sent == "\u{1B}]9;4;3;\u{1B}\\")
    scene.send(scene.drawing.withdraw())
    #expect(scene.sent == "\r\u{1B}[J\u{1B}]9;4;0;\u{1B}\\")
    scene.send(scene.drawing.withdraw())
    #expect(scene.sent.isEmpty)
  }

  @Test(
    "When a terminal becomes narrower, nothing of the wider line stays",
    arguments: [("out\n", true), ("out\n", false), ("out", true), ("out", false)]
  )
  func narrower(_ output: String, _ continuesRows: Bool) {
    for isRemoved in [false, true] {
      var scene = Scene()
      scene.write(output, "1/3, 2 executing, 0:01: sleep")
      scene.screen.narrow(to: 12, continuesRows: continuesRows)
      if isRemoved {
        scene.send(scene.drawing.clear())
        #expect(scene.screen.lines == ["out"])
      } else {
        scene.show("1/3, 2 exec", columns: 12)
        #expect(scene.screen.lines == ["out", "1/3, 2 exec"])
      }
    }
  }

  @Test("Terminals are recognized by their variables, but not from within another program")
  func features() {
    func features(_ variables: [String: String]) -> TerminalFeatures {
      TerminalFeatures { variables[$0] }
    }
    let both = TerminalFeatures(hasSynchronizedUpdates: true, showsShare: true)
    #expect(features([:]) == TerminalFeatures())
    #expect(features(["TERM": "xterm-256color"]) == TerminalFeatures())
    #expect(features(["TERM": "xterm-kitty"]) == TerminalFeatures(hasSynchronizedUpdates: true))
    #expect(features(["TERM": "xterm-ghostty", "TERM_PROGRAM": "ghostty"]) == both)
    #expect(features(["TERM": "tmux-256color", "TERM_PROGRAM": "ghostty"]) == TerminalFeatures())
    #expect(features(["WT_SESSION": "1"]) == TerminalFeatures(showsShare: true))
    #expect(features(["ConEmuANSI": "ON"]) == TerminalFeatures(showsShare: true))
    #expect(features(["ConEmuANSI": "OFF"]) == TerminalFeatures())
    let iTerm = ["TERM_PROGRAM": "iTerm.app"]
    #expect(features(iTerm) == TerminalFeatures(hasSynchronizedUpdates: true))
    #expect(features(iTerm.merging(["TERM_FEATURES": "T3CwP"]) { $1 }) == both)
  }

  @Test("A stream is written around the line only where its text may come to stand there")
  func relations() {
    #expect(LineRelation(hasLine: true, isTerminal: true, isPipe: false) == .sameTerminal)
    #expect(LineRelation(hasLine: false, isTerminal: true, isPipe: false) == .anotherTerminal)
    #expect(LineRelation(hasLine: false, isTerminal: false, isPipe: true) == .pipe)
    #expect(LineRelation(hasLine: false, isTerminal: false, isPipe: false) == .apart)
  }
}
