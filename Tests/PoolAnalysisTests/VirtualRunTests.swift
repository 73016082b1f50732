import PoolEvents
import PoolModel
import PoolTestSupport
import Testing

@testable import PoolAnalysis

/// The real core executes plans in virtual time; all lengths are in seconds.
@Suite("Runs in virtual time")
struct VirtualRunTests {
  @Test("a category and a limit of one name are two resources of a plan")
  func resources() {
    var run = RecordedScenario(slots: 2)
    let first = run.submit(claims: [("disk", 3)], exclusive: ["disk"])
    run.execute(first, on: 0, 0...1)
    run.execute(run.submit(claims: [("disk", 3)]), on: 1, 0...1)
    let (plan, _) = VirtualPlan.of(run.ended(at: 1))
    #expect(plan.resources.map(\.name.words) == ["limit 'disk'", "exclusive 'disk'"])
    #expect(plan.resources.map(\.units) == [3, 1])
    #expect(plan.nodes.map(\.claims) == [[0, 1], [0]])
  }

  private func seconds(_ plan: VirtualPlan, slots: Int, byCriticalPath: Bool = false) -> Double? {
    let setting = VirtualRun.Setting(slots: slots, isByCriticalPath: byCriticalPath)
    return VirtualRun.length(of: plan, setting).map { (Double($0) / 1e6).rounded() / 1e3 }
  }

  /// Operations that sleep, or, with a share of a processor, compute.
  private func plan(_ lengths: [Double], computing share: Double = 0, cores: Int = 64)
    -> VirtualPlan
  {
    var plan = VirtualPlan()
    plan.cores = cores
    plan.nodes = lengths.map { length in
      let attempt = VirtualPlan.Attempt(
        duration: Int64(length * 1e9),
        processorTime: Int64(length * share * 1e9)
      )
      return VirtualPlan.Node(attempts: [attempt])
    }
    return plan
  }

  @Test("what sleeps takes as many rounds as slots need")
  func rounds() {
    let plan = plan(Array(repeating: 1, count: 24))
    #expect(seconds(plan, slots: 2) == 12)
    #expect(seconds(plan, slots: 8) == 3)
    #expect(seconds(plan, slots: 64) == 1)
  }

  @Test("what computes is bound by the processors, however many slots there are")
  func processors() {
    let plan = plan(Array(repeating: 1, count: 24), computing: 1, cores: 2)
    #expect(seconds(plan, slots: 1) == 24)
    #expect(seconds(plan, slots: 2) == 12)
    #expect(seconds(plan, slots: 24) == 12)
    // Half computing, half waiting: with two slots the processors are not yet full.
    let half = self.plan(Array(repeating: 1, count: 24), computing: 0.5, cores: 2)
    #expect(seconds(half, slots: 2) == 12)
    #expect(seconds(half, slots: 4) == 6)
    // Eight wait half a second, and compute half a second that takes three times as long.
    #expect(seconds(half, slots: 8) == 6)
  }

  @Test("the greeting and the handover take their time")
  func overhead() {
    var plan = plan([1, 1, 1])
    (plan.greetingTime, plan.handoverTime) = (500_000_000, 100_000_000)
    #expect(seconds(plan, slots: 1) == 3.8)
  }

  @Test("dependencies, groups, limits, slots, barriers and retries hold")
  func needs() {
    var chain = plan([1, 2, 3])
    chain.nodes[2].dependencies = [SubmittedRecord.Dependency(0, .succeeded)]
    #expect(seconds(chain, slots: 3) == 4)
    chain.groupCount = 1
    chain.nodes[0].group = 0
    chain.nodes[1].group = 0
    chain.nodes[2].dependencies = [SubmittedRecord.Dependency(3, .succeeded)]
    #expect(seconds(chain, slots: 3) == 5)
    var limited = plan([1, 1, 1])
    limited.resources = [VirtualPlan.Resource(name: ResourceName(.limit, [110]), units: 1)]
    for node in 0..<3 { limited.nodes[node].claims = [0] }
    #expect(seconds(limited, slots: 3) == 3)
    var wide = plan([1, 1])
    wide.nodes[0].slots = 2
    #expect(seconds(wide, slots: 2) == 2)
    var barrier = plan([1, 1, 1])
    barrier.nodes[1].isBarrier = true
    #expect(seconds(barrier, slots: 3) == 3)
    var retried = plan([1])
    retried.nodes[0].attempts = [
      VirtualPlan.Attempt(duration: 1_000_000_000, succeeds: false, delay: 2_000_000_000),
      VirtualPlan.Attempt(duration: 1_000_000_000),
    ]
    #expect(seconds(retried, slots: 1) == 4)
  }

  @Test("a failure skips its dependents, and late submissions begin late")
  func endings() {
    var failing = plan([1, 5])
    failing.nodes[0].attempts[0].succeeds = false
    failing.nodes[1].dependencies = [SubmittedRecord.Dependency(0, .succeeded)]
    #expect(seconds(failing, slots: 2) == 1)
    var late = plan([1, 1])
    late.nodes[1].submission = 7_000_000_000
    #expect(seconds(late, slots: 2) == 8)
  }

  @Test("no run is shorter than the least length")
  func leastLength() throws {
    for seed in RandomSeeds.first(200) {
      var generator = SeededGenerator(seed: seed)
      var (plan, _) = VirtualPlan.of(RandomHistory.make(&generator))
      plan.cores = Int.random(in: 1...4, using: &generator)
      for node in plan.nodes.indices {
        let time = Int64.random(in: 0...15_000_000_000, using: &generator)
        plan.nodes[node].attempts[0].processorTime = time
        guard Int.random(in: 0..<5, using: &generator) == 0 else { continue }
        plan.nodes[node].attempts[plan.nodes[node].attempts.count - 1].succeeds = false
      }
      let known = try #require(VirtualRun.outcome(of: plan, VirtualRun.Setting(slots: 2)))
      var setting = VirtualRun.Setting(slots: Int.random(in: 1...6, using: &generator))
      let halved = Int.random(in: 0...3, using: &generator)
      setting.scale = { $0 % 4 == halved ? 0.5 : 1 }
      setting.isByCriticalPath = Bool.random(using: &generator)
      let length = try #require(VirtualRun.length(of: plan, setting))
      let least = LeastLength.of(plan, begun: known.begun, setting)
      #expect(least <= length, "seed \(seed)")
    }
  }

  @Test("the least length is that of full slots, or of full processors")
  func fullSlots() {
    func least(computing share: Double, slots: Int) -> Double {
      let plan = plan(Array(repeating: 1, count: 24), computing: share, cores: 2)
      let begun = [Int](repeating: 1, count: 24)
      let length = LeastLength.of(plan, begun: begun, VirtualRun.Setting(slots: slots))
      return (Double(length) / 1e7).rounded() / 100
    }
    #expect(least(computing: 0, slots: 2) == 12)
    #expect(least(computing: 0, slots: 24) == 1)
    #expect(least(computing: 1, slots: 24) == 12)
  }

  @Test("by the critical path, the longest chain begins first")
  func criticalPath() {
    var plan = plan([1, 1, 1, 3])
    plan.nodes[3].dependencies = [SubmittedRecord.Dependency(2, .succeeded)]
    #expect(seconds(plan, slots: 1) == 6)
    #expect(seconds(plan, slots: 2) == 5)
    #expect(seconds(plan, slots: 2, byCriticalPath: true) == 4)
  }
}
