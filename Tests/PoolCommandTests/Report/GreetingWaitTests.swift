import PoolModel
import Testing

@testable import PoolCommand
@testable import PoolReports

/// Contract: a user learns once what a run waits for, and only if that lasts.
@Suite("The wait for greetings")
struct GreetingWaitTests {
  private static let second = Int64.seconds(1)

  @Test("is told once, after 5 s, with the option and the number of workers")
  func told() {
    var wait = GreetingWait(from: 0, isWanted: true)
    let places = [PlaceState("a: ", starting: 0), PlaceState("b: ", starting: 2)]
    #expect(wait.message(at: 4 * Self.second, places, isKnown: false) == nil)
    let words = "b: waiting for 2 workers to greet; --worker-start TIME gives workers longer"
    #expect(wait.message(at: 5 * Self.second, places, isKnown: false) == words)
    #expect(wait.nextAt == nil)
    #expect(wait.message(at: .max, places, isKnown: false) == nil)
  }

  @Test("is told of workers that may take as long as they need, too")
  func pending() {
    var wait = GreetingWait(from: 0, isWanted: true)
    let places = [PlaceState("b: ", starting: 1, isPending: true)]
    let words =
      "b: waiting for 1 worker to greet, however long that takes; --worker-start TIME sets a limit"
    #expect(wait.message(at: 5 * Self.second, places, isKnown: false) == words)
  }

  @Test("is looked for again while no worker starts, and no more once all are known")
  func later() {
    var wait = GreetingWait(from: 0, isWanted: true)
    #expect(wait.message(at: 5 * Self.second, [PlaceState("", starting: 0)], isKnown: false) == nil)
    #expect(wait.nextAt == 10 * Self.second)
    #expect(wait.message(at: 10 * Self.second, [PlaceState("", starting: 1)], isKnown: true) == nil)
    #expect(wait.nextAt == nil)
    #expect(GreetingWait(from: 0, isWanted: false).nextAt == nil)
  }

  @Test("has its place in the progress line while nothing executes")
  func progress() {
    var snapshot = ProgressSnapshot(finished: 0, total: 2, executing: 0, failed: 0, elapsed: 0)
    snapshot.starting = 2
    #expect(snapshot.line(width: 80) == "0/2, 0 executing, 2 workers starting, 0:00")
    #expect(snapshot.report == "0 of 2 done, 0 executing, 2 workers starting")
    snapshot.pending = 1
    #expect(snapshot.report == "0 of 2 done, 0 executing, 1 worker starting, 1 worker pending")
    snapshot.starting = 1
    #expect(snapshot.report == "0 of 2 done, 0 executing, 1 worker pending")
    snapshot.pending = 0
    #expect(snapshot.report == "0 of 2 done, 0 executing, 1 worker starting")
    snapshot.executing = 1
    #expect(snapshot.report == "0 of 2 done, 1 executing")
  }
}
