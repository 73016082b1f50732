import PoolModel
import PoolSystem
import Testing

/// Contract: when the outputs of a command are looked at, during its execution and after its end.
@Suite("When outputs are looked at")
struct OutputGraceTests {
  private static let second = Int64.seconds(1)

  @Test("Outputs are over when nothing has come for the grace, and no process is busy")
  func quiet() {
    var grace = OutputGrace(100, at: 1_000)
    let rest1 = grace.rest(at: 1_000, hasNew: false, isBusy: { true })
    #expect(rest1 == 100)
    let rest2 = grace.rest(at: 1_040, hasNew: false, isBusy: { false })
    #expect(rest2 == 60)
    let rest3 = grace.rest(at: 1_100, hasNew: false, isBusy: { false })
    #expect(rest3 == nil)
  }

  @Test("Each output begins the grace again")
  func output() {
    var grace = OutputGrace(100, at: 0)
    let rest4 = grace.rest(at: 90, hasNew: true, isBusy: { false })
    #expect(rest4 == 100)
    let rest5 = grace.rest(at: 189, hasNew: false, isBusy: { false })
    #expect(rest5 == 1)
    let rest6 = grace.rest(at: 190, hasNew: false, isBusy: { false })
    #expect(rest6 == nil)
  }

  @Test("While a process is busy, they are looked at again, at most ten times the grace")
  func busy() {
    var grace = OutputGrace(Self.second, at: 0)
    let rest7 = grace.rest(at: Self.second, hasNew: false, isBusy: { true })
    #expect(rest7 == Self.second / 10)
    let late = Self.second * 10 - 5
    let rest8 = grace.rest(at: late, hasNew: false, isBusy: { true })
    #expect(rest8 == 5)
    let rest9 = grace.rest(at: late, hasNew: true, isBusy: { true })
    #expect(rest9 == 5)
    let rest10 = grace.rest(at: late + 5, hasNew: true, isBusy: { true })
    #expect(rest10 == nil)
  }

  @Test("A grace of 0 waits for nothing, and none is longer than an hour", arguments: [0, -1])
  func limits(none: Int64) {
    var nothing = OutputGrace(none, at: 7)
    let rest11 = nothing.rest(at: 7, hasNew: true, isBusy: { true })
    #expect(rest11 == nil)
    var endless = OutputGrace(.max, at: 7)
    let rest12 = endless.rest(at: 7, hasNew: false, isBusy: { false })
    #expect(rest12 == OutputGrace.longest)
  }

  @Test("A silent command is waited for without a limit; the first look comes after 2 ms")
  func silent() {
    var pace = GatheringPace()
    pace.begin()
    #expect(pace.pause == .milliseconds(2))
    let waits = pace.look(finding: 0)
    #expect(waits && pace.pause == 100_000)
    pace.childChanged()
    #expect(pace.pause == 0)
  }

  @Test("Small writes are looked at ever more seldom, up to 32 ms, until none comes")
  func small() {
    var pace = GatheringPace()
    pace.begin()
    for expected in [4, 8, 16, 32, 32] {
      let waits13 = pace.look(finding: 10)
      #expect(!waits13)
      #expect(pace.pause == .milliseconds(expected))
    }
    let waits14 = pace.look(finding: 0)
    #expect(waits14)
    #expect(pace.pause == 100_000)
    let waits15 = pace.look(finding: 10)
    #expect(!waits15)
    #expect(pace.pause == 200_000)
  }

  @Test("A command that may wait for room is looked at at once, and the next one early")
  func flood() {
    var pace = GatheringPace()
    pace.begin()
    for _ in 0..<2 {
      let waits16 = pace.look(finding: 32 << 10)
      #expect(!waits16)
      #expect(pace.pause == 0)
    }
    pace.begin()
    #expect(pace.pause == 100_000)
    let waits17 = pace.look(finding: 1_000)
    #expect(!waits17)
    pace.begin()
    #expect(pace.pause == .milliseconds(2))
    #expect(!pace.expectsFlood)
  }

  @Test("After a command whose bytes were found at its end, the next one has a wide pipe, too")
  func late() {
    var pace = GatheringPace()
    pace.begin()
    #expect(!pace.expectsFlood)
    pace.finish(finding: 40 << 10)
    pace.finish(finding: 24 << 10)
    pace.begin()
    #expect(pace.expectsFlood)
    #expect(pace.pause == 100_000)
  }
}
