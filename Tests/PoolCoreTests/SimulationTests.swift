import PoolModel
import PoolTestSupport
import Testing

@testable import PoolCore

/// The whole core under simulated workers.
///
/// Each seed is one run of a random graph, and all invariants are checked after each event. A
/// failure names the seed that repeats it.
@Suite("Simulated runs")
struct SimulationTests {
  private func problems(
    _ seeds: Range<UInt64>,
    _ faults: SimulatedFleet.Faults,
    cancelling: Bool = false,
    retries: Int = 2
  ) -> [String] {
    for seed in seeds {
      var fleet = SimulatedFleet(seed: seed, workers: Int(seed % 5) + 1, faults: faults)
      fleet.submit(Int(seed % 30) + 1, retries: retries)
      fleet.run(cancelling: cancelling)
      if !fleet.problems.isEmpty { return ["seed \(seed): " + fleet.problems[0]] }
      let count = Int(seed % 30) + 1
      if fleet.settlements.count != count {
        return ["seed \(seed): \(fleet.settlements.count) of \(count) operations settled"]
      }
    }
    return []
  }

  @Test("every operation of a healthy run settles once, after what it depends on")
  func healthy() {
    #expect(problems(0..<1_000, SimulatedFleet.Faults(failure: 200)) == [])
  }

  @Test("workers that die, are silent or break the protocol cost no operation its outcome")
  func deadly() {
    let faults = SimulatedFleet.Faults(death: 20, violation: 5, silence: 20, failure: 50)
    #expect(problems(1_000..<2_000, faults) == [])
  }

  @Test("cancellation ends what waits, what is held and what ignores being asked")
  func cancelling() {
    let faults = SimulatedFleet.Faults(death: 5, failure: 50, stubbornness: 100)
    #expect(problems(2_000..<3_000, faults, cancelling: true) == [])
  }

  @Test("without retries nothing that has started is executed again")
  func neverTwice() {
    let faults = SimulatedFleet.Faults(death: 30, violation: 10, failure: 100)
    for seed in UInt64(3_000)..<3_500 {
      var fleet = SimulatedFleet(seed: seed, workers: 3, faults: faults)
      fleet.submit(25, retries: 0)
      fleet.run(cancelling: false)
      #expect(fleet.problems == [], "seed \(seed)")
      #expect(fleet.starts.values.allSatisfy { $0 == 1 }, "seed \(seed)")
    }
  }
}
