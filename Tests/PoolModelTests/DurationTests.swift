import PoolModel
import Testing

/// Durations of the public API become the integers that the core, the wire and the files have.
@Suite("Durations")
struct DurationTests {
  @Test("a duration becomes nanoseconds, none below zero, and the longest never comes")
  func nanoseconds() {
    #expect(Int64.nanoseconds(of: .milliseconds(1_500)) == 1_500_000_000)
    #expect(Int64.nanoseconds(of: .nanoseconds(1)) == 1)
    #expect(Int64.nanoseconds(of: .seconds(-1)) == 0)
    #expect(Int64.nanoseconds(of: .seconds(Int64.min)) == 0)
    #expect(Int64.nanoseconds(of: .seconds(Int64.max)) == .max)
  }

  @Test("a grace is whole milliseconds, rounded up, so that a short one is not none")
  func grace() {
    typealias Step = PoolTeardownSequence.Step
    #expect(Step(.message, grace: .seconds(2)).graceMilliseconds == 2_000)
    #expect(Step(.message, grace: .microseconds(1)).graceMilliseconds == 1)
    #expect(Step(.signal(9)).graceMilliseconds == 0)
    var step = Step(.message)
    step.grace = .microseconds(2_001)
    #expect(step.grace == .milliseconds(3))
  }

  @Test("raw values that files hold are the ones that they always were")
  func rawValues() {
    #expect(PoolEnding.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5])
    #expect(PoolRetryCause.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6])
    #expect(PoolRequirement.allCases.map(\.rawValue) == [0, 1, 2, 3])
    #expect(PoolSchedulingPolicy.allCases.map(\.rawValue) == ["submission", "critical-path"])
  }
}
