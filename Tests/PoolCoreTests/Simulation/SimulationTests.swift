import PoolModel
import PoolTestSupport
import Testing

@testable import PoolCore

/// The whole core under simulated users and workers.
///
/// Each seed is one run in which users do at random whatever can be done; all rules are checked
/// after each event. `OPOOL_SEEDS` gives another number of runs of each sort, and `OPOOL_SEED` the
/// one to be repeated, as a failure says.
@Suite("Simulated runs")
struct SimulationTests {
  /// The first problem in runs of these seeds, and the line that repeats it.
  private func problems(
    from base: UInt64,
    _ count: UInt64,
    events: Int = 80,
    share: UInt64 = 1,
    _ faults: SimulatedPool.Faults,
    in name: String = #function,
    alsoCheck isRight: (borrowing SimulatedPool) -> Bool = { _ in true }
  ) -> [String] {
    for seed in RandomSeeds.first(count, share: share) {
      var pool = SimulatedPool(seed: base + seed, faults: faults)
      pool.run(events: events)
      guard let problem = pool.problems.first ?? (isRight(pool) ? nil : "not as it must be") else {
        continue
      }
      // Without its parentheses, which a shell would not take.
      return [
        problem, "OPOOL_SEED=\(seed) swift test --filter SimulationTests/\(name.dropLast(2))",
      ]
    }
    return []
  }

  @Test("whatever users do, every operation ends once, and only when it may go on does it")
  func healthy() {
    #expect(problems(from: 0, 160, SimulatedPool.Faults(failure: 200)) == [])
  }

  @Test("without cancellation nothing is cancelled, and nothing stalls")
  func uncancelled() {
    let faults = SimulatedPool.Faults(failure: 100, isCancelling: false)
    #expect(problems(from: 10_000, 50, faults) == [])
  }

  @Test("workers that die, are silent or break the protocol cost no operation its outcome")
  func deadly() {
    let faults = SimulatedPool.Faults(death: 20, violation: 5, silence: 20, failure: 50)
    #expect(problems(from: 20_000, 90, faults) == [])
  }

  @Test("a run ends in bounded time where replacements die slowly, or never greet")
  func hopeless() {
    for greetings in [0, 1, 3] {
      var faults = SimulatedPool.Faults(death: 30, violation: 5, failure: 50, freezing: 30)
      faults.greetings = greetings
      #expect(problems(from: 80_000, 20, share: 3, faults) == [])
    }
    let sick = SimulatedPool.Faults(death: 300, violation: 100, silence: 600, failure: 50)
    #expect(problems(from: 90_000, 20, share: 3, sick) == [])
  }

  @Test("a shortage costs no outcome and no attempt, and where it lasts, the run ends")
  func shortages() {
    let faults = SimulatedPool.Faults(death: 2, shortage: 60, failure: 50, stubbornness: 10)
    #expect(problems(from: 100_000, 50, faults) == [])
    for share in [400, 1_000] {
      let lasting = SimulatedPool.Faults(shortage: share, failure: 50, freezing: 10, absence: 5)
      #expect(problems(from: 110_000, 20, share: 3, lasting) == [])
    }
  }

  @Test("workers that ignore being asked are made to end")
  func stubborn() {
    let faults = SimulatedPool.Faults(death: 5, failure: 50, stubbornness: 100)
    #expect(problems(from: 30_000, 60, faults) == [])
  }

  @Test("workers that fall silent while they execute are found out, and only those")
  func frozen() {
    let faults = SimulatedPool.Faults(death: 5, failure: 50, stubbornness: 20, freezing: 60)
    #expect(problems(from: 60_000, 50, faults) == [])
  }

  @Test("a coordinator that wakes late blames no worker for it")
  func late() {
    let faults = SimulatedPool.Faults(
      death: 5,
      silence: 20,
      failure: 50,
      stubbornness: 50,
      freezing: 30,
      absence: 20
    )
    #expect(problems(from: 70_000, 50, faults) == [])
  }

  @Test("long runs leave nothing behind either")
  func long() {
    let faults = SimulatedPool.Faults(death: 2, violation: 1, failure: 100, stubbornness: 20)
    #expect(problems(from: 40_000, 1, events: 600, share: 100, faults) == [])
  }

  @Test("over links, what may have begun is told, and repeated only where that is allowed")
  func links() {
    var faults = SimulatedPool.Faults(death: 30, violation: 5, links: 700, failure: 50)
    #expect(problems(from: 110_000, 60, faults) == [])
    faults.retries = 0
    let found = problems(from: 120_000, 40, faults) { pool in
      pool.operations.allSatisfy { $0.starts <= 1 || $0.spec.isIdempotent }
    }
    #expect(found == [])
  }

  @Test("without retries nothing that has started is executed again")
  func neverTwice() {
    var faults = SimulatedPool.Faults(death: 30, violation: 10, failure: 100)
    faults.retries = 0
    let found = problems(from: 50_000, 40, faults) { pool in
      pool.operations.allSatisfy { $0.starts <= 1 }
    }
    #expect(found == [])
  }
}
