import OperationPool
import PoolModel
import PoolTestSupport
import Testing

/// Contract: after any sequence of public calls the pool is where a small, obviously right model
/// on paper says that it is: see `PaperPool`.
///
/// `OPOOL_SEEDS` gives another number of random sequences, `OPOOL_SEED` the one to be repeated.
@Suite("The pool on paper", .timeLimit(.minutes(30)))
struct PaperTests {
  @Test("after every call of a random sequence, everything is as it is on paper")
  func sequences() async throws {
    let seeds = RandomSeeds.first(100)
    let faults = try await Blocking.run {
      for seed in seeds {
        var run = try PaperRun(seed: seed)
        let faults = run.play(60)
        guard faults.isEmpty else { return faults }
      }
      return []
    }
    #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
  }
}
