import OperationPool
import PoolTestSupport
import Testing

/// Contract: whatever several threads do at once, no promise is broken: every operation ends once
/// and for a reason, completes once, waits for what it must, and nothing takes more than there is.
///
/// `OPOOL_SEEDS` gives another number of storms, `OPOOL_SEED` the one to be repeated; how its
/// threads fall together is another matter.
@Suite("Storms", .timeLimit(.minutes(30)))
struct StormTests {
  @Test("whatever four threads do at once, no rule is broken")
  func storms() async throws {
    let seeds = RandomSeeds.first(12)
    let faults = try await Blocking.run {
      for seed in seeds {
        let faults = try Storm(seed: seed).rage()
        guard faults.isEmpty else { return faults }
      }
      return []
    }
    #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
  }
}
