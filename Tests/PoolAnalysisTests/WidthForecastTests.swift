import PoolEvents
import PoolModel
import Testing

@testable import PoolAnalysis

/// How long a plan takes at each width, and what binds.
@Suite("Forecasts by width")
struct WidthForecastTests {
  private func plan(_ count: Int, processor: Int64 = 0) -> VirtualPlan {
    var plan = VirtualPlan()
    plan.nodes = (0..<count).map { _ in
      VirtualPlan.Node(
        attempts: [VirtualPlan.Attempt(duration: 1_000_000_000, processorTime: processor)]
      )
    }
    return plan
  }

  @Test("slots bind until something else does")
  func bounds() {
    #expect(WidthForecast(plan(8), slots: 2)?.bound == .slots)
    #expect(WidthForecast(plan(8), slots: 2)?.elapsed == 4_000_000_000)
    #expect(WidthForecast(plan(8), slots: 8)?.bound == .dependencies)
    var computing = plan(8, processor: 1_000_000_000)
    computing.cores = 2
    #expect(WidthForecast(computing, slots: 4)?.bound == .processors)
    var limited = plan(8)
    limited.resources = [VirtualPlan.Resource(name: ResourceName(.limit, [110]), units: 2)]
    for node in limited.nodes.indices { limited.nodes[node].claims = [0] }
    #expect(WidthForecast(limited, slots: 4)?.bound == .limit(ResourceName(.limit, [110])))
    #expect(WidthForecast(limited, slots: 1)?.bound == .slots)
  }

  @Test("a measured run gives its attempts by identifier, and the mean for others")
  func measured() throws {
    var run = RecordedScenario(slots: 2, cores: 4, greetedAt: 0.5)
    let first = run.submit()
    let second = run.submit()
    let never = run.submit()
    run.execute(first, on: 0, 0.5...1.5, .failed, retryAt: 2)
    run.execute(first, on: 0, 2...3, attempt: 2, processor: 1)
    run.execute(second, on: 1, 0.5...3.5)
    let measured = MeasuredRun(run.ended(at: 4))
    let attempts = try #require(measured.attempts[Array("o\(first)".utf8)])
    #expect(attempts.map(\.duration) == [1_000_000_000, 1_000_000_000])
    #expect(attempts.map(\.succeeds) == [false, true] && attempts[0].delay == 500_000_000)
    #expect(measured.attempts[Array("o\(never)".utf8)] == nil)
    #expect(measured.mean?.duration == 2_000_000_000)
    var plan = VirtualPlan()
    measured.giveTimes(to: &plan)
    #expect((plan.cores, plan.greetingTime) == (4, 500_000_000))
  }
}
