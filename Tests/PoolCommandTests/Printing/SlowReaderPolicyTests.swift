import PoolModel
import Testing

@testable import PoolCommand
@testable import PoolReports

/// How long a run waits for those that read its streams.
@Suite("Patience with readers")
struct SlowReaderPolicyTests {
  private let grace = SlowReaderPolicy.grace

  @Test("A run that is not ended waits without limit")
  func endless() {
    let patience = SlowReaderPolicy()
    #expect(patience.advice(since: 0, at: .max - 1) == .wait(until: .max))
  }

  @Test("An end gives readers their grace from it, or from when nothing else is left to do")
  func end() {
    var patience = SlowReaderPolicy()
    patience.end(at: 100)
    #expect(patience.advice(since: 50, at: 60) == .wait(until: 100 + grace))
    #expect(patience.advice(since: 200, at: 200) == .wait(until: 200 + grace))
    #expect(patience.advice(since: 200, at: 200 + grace) == .giveUp)
    #expect(patience.advice(since: 200, grace: 5, at: 205) == .giveUp)
  }

  @Test("The earliest end counts")
  func earliest() {
    var patience = SlowReaderPolicy()
    patience.end(at: 100)
    patience.end(at: 900)
    patience.end(at: 50)
    #expect(patience.advice(since: 0, at: 0) == .wait(until: 50 + grace))
  }

  @Test("A user who asks once is told once, after a while, and the run waits on")
  func ask() {
    var patience = SlowReaderPolicy()
    patience.ask(at: 100)
    patience.ask(at: 500)
    #expect(patience.advice(since: 10, at: 100) == .wait(until: 100 + grace))
    #expect(patience.advice(since: 10, at: 100 + grace) == .tell)
    patience.noteTold()
    #expect(patience.advice(since: 10, at: 100 + grace) == .wait(until: .max))
    patience.end(at: 2 * grace)
    #expect(patience.advice(since: 10, at: 2 * grace) == .wait(until: 3 * grace))
    #expect(patience.advice(since: 10, at: 3 * grace) == .giveUp)
  }
}
