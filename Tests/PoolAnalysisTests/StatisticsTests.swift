import PoolModel
import Testing

@testable import PoolAnalysis

/// Groups, failures, repeated attempts and the comparison of two runs.
@Suite("Statistics of a run")
struct StatisticsTests {
  @Test("a distribution has its least, median, ninetieth and greatest duration")
  func distribution() throws {
    let ten = try #require(Distribution([10, 1, 9, 2, 8, 3, 7, 4, 6, 5]))
    #expect((ten.least, ten.median, ten.ninetieth, ten.greatest) == (1, 5, 9, 10))
    #expect((ten.count, ten.sum) == (10, 55))
    let one = try #require(Distribution([7]))
    #expect((one.least, one.median, one.ninetieth, one.greatest) == (7, 7, 7, 7))
    #expect(Distribution([]) == nil)
    #expect(Distribution([.max, .max])?.sum == .max)
  }

  @Test("failures are one where only numbers in their messages differ, the most frequent first")
  func failures() {
    var run = RecordedScenario(slots: 1)
    let messages = ["no file 17", "no file 4", "killed", "no file 4711"]
    for (index, message) in messages.enumerated() {
      let number = run.submit()
      run.execute(number, on: 0, Double(index)...Double(index) + 1, .failed, message: message)
    }
    let failures = FailureGroup.all(of: run.ended(at: 5))
    #expect(failures.map(\.message) == ["no file 17", "killed"])
    #expect(failures.map(\.members) == [[0, 1, 3], [2]])
  }

  @Test("groups have their members' attempts; what is in none is together")
  func groups() throws {
    var run = RecordedScenario(slots: 1)
    let group = run.submit(members: 2)
    let one = run.submit(group: group)
    let two = run.submit(group: group)
    let other = run.submit()
    run.execute(one, on: 0, 0...1, .failed, retryAt: 1)
    run.execute(one, on: 0, 1...3, attempt: 2)
    run.execute(two, on: 0, 3...4, .failed)
    run.execute(other, on: 0, 4...9)
    let history = run.ended(at: 9)
    let groups = GroupSummary.all(of: history)
    #expect(groups.map(\.name) == [Array("g0".utf8), nil])
    #expect(groups.map(\.members) == [[0, 1], [2]])
    #expect(groups.map(\.executionTime) == [4_000_000_000, 5_000_000_000])
    #expect(groups[0].failureCount == 1 && groups[0].durations?.count == 2)
    let repeated = RepeatedAttempts.all(of: history)
    #expect(repeated.map(\.count) == [1] && repeated[0].operations == [0])
    #expect(repeated[0].time == 1_000_000_000)
  }

  private func analysis(_ lengths: [Double], failing: Int? = nil) -> RunAnalysis {
    var run = RecordedScenario(slots: 1)
    var time = 0.0
    for (index, length) in lengths.enumerated() {
      let number = run.submit()
      run.execute(number, on: 0, time...time + length, index == failing ? .failed : .succeeded)
      time += length
    }
    return RunAnalysis(run.ended(at: time))
  }

  @Test("a comparison names what differs by more than a tenth, and changed outcomes")
  func comparison() {
    let comparison = RunComparison(
      of: analysis([1, 2.05, 3, 1], failing: 2),
      with: analysis([2, 2, 1])
    )
    #expect(comparison.elapsed.difference == 2_050_000_000 && comparison.elapsed.isNotable)
    #expect(comparison.operations.map(\.name) == [Array("o2".utf8), Array("o0".utf8)])
    #expect(comparison.operations.map(\.change.difference) == [2_000_000_000, -1_000_000_000])
    #expect(comparison.outcomes.map(\.id) == [Array("o2".utf8)])
    #expect(comparison.outcomes[0].before == .succeeded && comparison.outcomes[0].after == .failed)
    #expect((comparison.addedCount, comparison.removedCount) == (1, 0))
    let same = RunComparison(of: analysis([1, 2]), with: analysis([1, 2, 4]))
    #expect(same.operations.isEmpty && same.outcomes.isEmpty && same.removedCount == 1)
  }
}
