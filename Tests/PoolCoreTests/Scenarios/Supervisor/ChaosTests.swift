import PoolCore
import Testing

/// Faults that are made on purpose follow from the seed.
@Suite("Chaos")
struct ChaosTests {
  private func faults(_ seed: UInt64, count: Int = 10_000) -> [Chaos.Fault?] {
    var chaos = Chaos()
    chaos.rates = [.kill: 0.2, .stop: 0.1, .garble: 0.05]
    chaos.seed = seed
    return (0..<count).map { _ in chaos.nextFault() }
  }

  @Test("the same seed makes the same faults, another one others")
  func seeds() {
    #expect(faults(1) == faults(1))
    #expect(faults(1) != faults(2))
  }

  @Test("each fault comes as often as its rate says", arguments: 0..<8 as Range<UInt64>)
  func rates(seed: UInt64) {
    let faults = faults(seed)
    for (fault, expected) in [(Chaos.Fault.kill, 2_000), (.stop, 1_000), (.garble, 500)] {
      // Five standard deviations of the most frequent one.
      #expect(abs(faults.count { $0 == fault } - expected) < 200)
    }
  }

  @Test("spawns fail at a rate of their own, and independently of executions")
  func spawns() {
    var (chaos, other) = (Chaos(), Chaos())
    (chaos.spawnFailure, other.spawnFailure) = (0.3, 0.3)
    other.rates = [.kill: 1]
    let failures = (0..<10_000).map { _ in chaos.failsSpawn() }
    let others = (0..<10_000).map { _ in
      #expect(other.nextFault() == .kill)
      return other.failsSpawn()
    }
    #expect(failures == others)
    #expect(abs(failures.count { $0 } - 3_000) < 230)
  }

  @Test("without rates nothing befalls anything, and at the full rate everything")
  func extremes() {
    var none = Chaos()
    #expect((0..<1_000).allSatisfy { _ in none.nextFault() == nil && !none.failsSpawn() })
    var all = Chaos()
    all.rates = [.garble: 1]
    all.spawnFailure = 1
    #expect((0..<1_000).allSatisfy { _ in all.nextFault() == .garble && all.failsSpawn() })
  }
}
