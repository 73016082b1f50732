import PoolModel
import Testing

@testable import PoolAnalysis

/// Contract: of several reasons, the one that comes to an end first is told; each has its words.
@Suite("Standings")
struct StandingTests {
  /// Of the questions, in order, all from one on have an answer.
  private struct Source: StandingSource {
    var first: Int

    private func answer(_ place: Int) -> Int? { place < first ? nil : place }

    func ending() -> Int? { answer(0) }
    func absence() -> Int? { answer(1) }
    func execution() -> Int? { answer(2) }
    func nextAttempt() -> Int? { answer(3) }
    func dependencies() -> Int? { answer(4) }
    func hold() -> Int? { answer(5) }
    func barrier() -> Int? { answer(6) }
    func fullLimit() -> Int? { answer(7) }
    func pause() -> Int? { answer(8) }
    func rest() -> Int { 9 }
  }

  @Test("the first question with an answer decides, in the order in which reasons come to an end")
  func order() {
    for first in 0...9 { #expect(Source(first: first).standing == first) }
  }

  private func lines(_ hold: Standing.Hold) -> [String] {
    Explanation(Array("x".utf8), .held(hold)).lines
  }

  @Test("what holds only a program's operations has its sentence, too")
  func holds() {
    let other = Standing.Other(Array("g\u{1B}".utf8), executing: nil)
    #expect(lines(.outside) == ["x: is in no queue"])
    #expect(lines(.members([], more: 0)) == ["x: is a group without unfinished members"])
    #expect(
      lines(.members([other], more: 1)) == [
        "x: waits for 2 members:", #"  g\x1B"#, "  … and 1 more",
      ]
    )
    let worker = WorkerID(rawValue: 3)
    #expect(lines(.handedOver(worker)) == ["x: worker 3 has it, and has not begun it"])
    #expect(lines(.gates(1)) == ["x: waits for a gate to be opened"])
    #expect(lines(.gates(2)) == ["x: waits for 2 gates to be opened"])
    #expect(lines(.group(other)) == ["x: waits for its group to begin:", #"  g\x1B"#])
    #expect(lines(.preparation) == ["x: its conditions or its input are evaluated"])
    #expect(
      lines(.worker(kind: "a\nb")) == [
        #"x: is ready, and waits for a worker that serves 'a\nb' to start"#
      ]
    )
  }

  @Test("a limit without units is held by nothing, and a reason is safe to print")
  func edges() {
    let id = Array("x".utf8)
    #expect(
      Explanation(id, .limit(ResourceName(.limit, Array("net".utf8)), units: 0, [])).lines == [
        "x: is ready, and waits for limit 'net' (0 units)"
      ]
    )
    let disk = ResourceName(.exclusive, Array("d\n".utf8))
    #expect(
      Explanation(id, .limit(disk, units: 1, [Standing.Other(id, executing: nil)])).lines == [
        #"x: is ready, and waits for exclusive 'd\n', which this holds:"#, "  x",
      ]
    )
    #expect(
      Explanation(id, .heldBack("--delay")).lines == ["x: is ready, and is not started: --delay"]
    )
    #expect(
      Explanation(id, .ended(.failed, because: "a\u{1B}[2J")).lines == [#"x: failed: a\x1B[2J"#]
    )
    #expect(
      Explanation(id, .paused(.queue, "y")).lines == [
        "x: is ready, and its queue starts nothing: y"
      ]
    )
  }
}
