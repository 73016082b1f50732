import PoolModel
import PoolTestSupport
import Testing

@testable import PoolCore

/// The whole core under simulated users and workers.
///
/// Each seed is one run in which users do at random whatever can be done; all rules are checked
/// after each event. A failure names the seed that repeats it.
@Suite("Simulated runs")
struct SimulationTests {
  /// The first problem in runs of these seeds.
  private func problems(
    _ seeds: Range<UInt64>,
    events: Int = 80,
    _ faults: SimulatedPool.Faults
  ) -> [String] {
    for seed in seeds {
      var pool = SimulatedPool(seed: seed, faults: faults)
      pool.run(events: events)
      if !pool.problems.isEmpty { return ["seed \(seed): " + pool.problems[0]] }
    }
    return []
  }

  @Test("whatever users do, every operation ends once, and only when it may go on does it")
  func healthy() {
    #expect(problems(0..<800, SimulatedPool.Faults(failure: 200)) == [])
  }

  @Test("without cancellation nothing is cancelled, and nothing stalls")
  func uncancelled() {
    let faults = SimulatedPool.Faults(failure: 100, isCancelling: false)
    #expect(problems(10_000..<10_250, faults) == [])
  }

  @Test("workers that die, are silent or break the protocol cost no operation its outcome")
  func deadly() {
    let faults = SimulatedPool.Faults(death: 20, violation: 5, silence: 20, failure: 50)
    #expect(problems(20_000..<20_450, faults) == [])
  }

  @Test("workers that ignore being asked are made to end")
  func stubborn() {
    let faults = SimulatedPool.Faults(death: 5, failure: 50, stubbornness: 100)
    #expect(problems(30_000..<30_300, faults) == [])
  }

  @Test("workers that fall silent while they execute are found out, and only those")
  func frozen() {
    let faults = SimulatedPool.Faults(death: 5, failure: 50, stubbornness: 20, freezing: 60)
    #expect(problems(60_000..<60_250, faults) == [])
  }

  @Test("a coordinator that comes late blames nobody for it")
  func late() {
    let faults = SimulatedPool.Faults(
      death: 5,
      silence: 20,
      failure: 50,
      stubbornness: 50,
      freezing: 30,
      absence: 20
    )
    #expect(problems(70_000..<70_250, faults) == [])
  }

  @Test("long runs leave nothing behind either")
  func long() {
    let faults = SimulatedPool.Faults(death: 2, violation: 1, failure: 100, stubbornness: 20)
    #expect(problems(40_000..<40_003, events: 600, faults) == [])
  }

  @Test("without retries nothing that has started is executed again")
  func neverTwice() {
    var faults = SimulatedPool.Faults(death: 30, violation: 10, failure: 100)
    faults.retries = 0
    for seed in UInt64(50_000)..<50_200 {
      var pool = SimulatedPool(seed: seed, faults: faults)
      pool.run(events: 80)
      #expect(pool.problems == [], "seed \(seed)")
      #expect(pool.operations.allSatisfy { $0.starts <= 1 }, "seed \(seed)")
    }
  }
}
