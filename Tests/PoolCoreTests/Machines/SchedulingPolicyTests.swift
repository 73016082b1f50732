import PoolModel
import Testing

@testable import PoolCore

/// What comes first, as the command, its plan and the machine ask for it.
@Suite("Scheduling policy")
struct SchedulingPolicyTests {
  /// 2 and 3 wait for 0, 3 also for 1.
  private var rows: DependencyRows {
    var rows = DependencyRows()
    for targets in [[], [], [0], [0, 1]] {
      for target in targets { rows.append(target) }
      rows.endRow()
    }
    return rows
  }

  @Test("the order of submission has no ranks, and leaves items as they are given")
  func submission() {
    #expect(PoolSchedulingPolicy.submission.ranks(of: rows, durations: [1, 2, 3, 4]) == nil)
    #expect(PoolSchedulingPolicy.sorted(["b", "a", "c"], by: nil) == ["b", "a", "c"])
  }

  @Test("the critical path ranks by the work that lies ahead, and without dependencies by weight")
  func criticalPath() {
    let policy = PoolSchedulingPolicy.criticalPath
    let ranks = policy.ranks(of: rows, durations: [1, 2, 3, 4])
    #expect(ranks == [5, 6, 3, 4])
    #expect(PoolSchedulingPolicy.sorted([0, 1, 2, 3], by: ranks) == [1, 0, 3, 2])
    #expect(policy.ranks(of: nil, durations: [1, 2]) == [1, 2])
  }

  @Test("an operation of unknown duration counts as the mean of the others, or as one")
  func unknownDurations() {
    let policy = PoolSchedulingPolicy.criticalPath
    #expect(policy.ranks(of: nil, durations: [2, nil, 6, 0]) == [2, 4, 6, 0])
    #expect(policy.ranks(of: rows, durations: [nil, nil, nil]) == [2, 1, 1])
  }

  @Test("equal ranks keep the order in which they are given")
  func ties() {
    #expect(
      PoolSchedulingPolicy.sorted(["a", "b", "c", "d"], by: [1, 2, 1, 2]) == ["b", "d", "a", "c"]
    )
  }

  @Test("the names of policies are those of the command's option")
  func names() {
    #expect(PoolSchedulingPolicy.allCases.map(\.rawValue) == ["submission", "critical-path"])
  }
}
