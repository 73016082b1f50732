import PoolModel
import Testing

@testable import PoolAnalysis

/// What would have been faster is found by executing the change.
@Suite("What would have been faster")
struct AdviceTests {
  /// 24 operations of a second at two slots, as they would be recorded.
  private func run(computing share: Double, cores: Int) -> RunHistory {
    var run = RecordedScenario(slots: 2, cores: cores)
    let numbers = (0..<24).map { _ in run.submit() }
    for number in numbers {
      let start = Double(number / 2)
      run.execute(number, on: number % 2, start...start + 1, processor: share)
    }
    return run.ended(at: 12.2)
  }

  private func saved(_ change: Advice.Change, _ history: RunHistory) -> Double? {
    RunAnalysis(history).advice.first { $0.change == change }.map { Double($0.saved) / 1e9 }
  }

  @Test("more slots are no advice where the processors are busy, and are where operations wait")
  func slots() {
    let computing = RunAnalysis(run(computing: 1, cores: 2)).advice
    #expect(!computing.contains { if case .slots = $0.change { true } else { false } })
    #expect(saved(.slots(4), run(computing: 0, cores: 2)) == 6)
    #expect(saved(.slots(3), run(computing: 0, cores: 2)) == 4)
    #expect(saved(.slots(4), run(computing: 0.5, cores: 2)) == 6)
    #expect(saved(.slots(4), run(computing: 1, cores: 4)) == 6)
  }

  @Test("what is told is what the run would have taken, and the largest saving comes first")
  func order() {
    let advice = RunAnalysis(run(computing: 0, cores: 2)).advice
    #expect(advice.map(\.saved) == advice.map(\.saved).sorted(by: >))
    for advice in advice { #expect(advice.elapsed + advice.saved == 12_200_000_000) }
  }

  @Test("a limit that binds is named with one unit more, and one that does not is not")
  func limit() {
    var run = RecordedScenario(slots: 4)
    let numbers = (0..<8).map { _ in run.submit(claims: [("net", 2), ("disk", 8)]) }
    for number in numbers {
      let start = Double(number / 2)
      run.execute(number, on: number % 2, start...start + 1)
    }
    let history = run.ended(at: 4)
    #expect(saved(.limit(ResourceName(.limit, Array("net".utf8)), 3), history) == 1)
    #expect(saved(.limit(ResourceName(.limit, Array("disk".utf8)), 9), history) == nil)
    #expect(saved(.slots(5), history) == nil)
  }

  @Test("a group and an operation that decide are named with half their time")
  func halved() {
    var run = RecordedScenario(slots: 1)
    let group = run.submit(members: 2)
    let long = run.submit(group: group)
    let short = run.submit(group: group)
    run.execute(long, on: 0, 0...6)
    run.execute(short, on: 0, 6...8)
    run.settleGroup(group, at: 8)
    let history = run.ended(at: 8)
    #expect(saved(.halvedGroup(Array("g0".utf8)), history) == 4)
    #expect(saved(.halvedOperation(0), history) == 3)
    #expect(saved(.halvedOperation(1), history) == 1)
  }

  @Test("a run that was cut off has no advice: what was cancelled would have taken longer")
  func cutOff() {
    for ending in [PoolEnding.succeeded, .cancelled] {
      var run = RecordedScenario(slots: 1)
      let numbers = (0..<4).map { _ in run.submit() }
      for number in numbers {
        let start = Double(number)
        run.execute(number, on: 0, start...start + 1, number == 3 ? ending : .succeeded)
      }
      let advice = RunAnalysis(run.ended(at: 4)).advice
      #expect(advice.isEmpty == (ending == .cancelled))
      #expect(RunAnalysis(run.unended()).advice.isEmpty)
    }
  }

  @Test("a run in which nothing was executed has no advice")
  func empty() {
    #expect(RunAnalysis(RecordedScenario(slots: 2).ended(at: 5)).advice.isEmpty)
  }
}
