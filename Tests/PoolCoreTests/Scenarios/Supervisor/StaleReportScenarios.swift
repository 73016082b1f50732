import PoolModel
import Testing

@testable import PoolCore

/// What is said of a dispatch that the worker does not have is ignored or a violation, and changes
/// nothing.
@Suite("Reports about other dispatches")
struct StaleReportScenarios {
  private let reports: [(name: String, report: WorkerReport)] = [
    ("'executing'", .executing(group: nil)),
    ("'finished'", .answered(.succeeded, .error, .none)),
    ("'cancelled'", .answered(.cancelled, .error, .none)),
    ("'progress', 'log' or 'output'", .remarked(.none)),
    ("'returned'", .returned),
  ]

  /// A worker that has finished the first dispatch, and executes the second.
  private func executing() -> Scenario {
    let scenario = Scenario()
    scenario.submit([.init("a")], "spawn 1 of 0")
    scenario.greet(1, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.execute("a")
    scenario.submit([.init("b")], "dispatch b to 1 as attempt 1")
    scenario.start("b", "b executes on 1 as attempt 1")
    return scenario
  }

  @Test("a number that was never given out is a violation that names the message: 0, too")
  func never() {
    for (name, report) in reports {
      for number in [0, 3, 1 << 63, UInt64.max] {
        let scenario = executing()
        let reference = DispatchReference(
          operation: scenario.id("b"),
          dispatch: DispatchNumber(rawValue: number)
        )
        let reception = scenario.expect([], #_sourceLocation) {
          $0.workerReported(report, reference, by: WorkerID(rawValue: 1), at: $1)
        }
        #expect(reception == .violation("\(name) for a dispatch that was never made"))
      }
    }
  }

  @Test("one that has ended is ignored")
  func ended() {
    for (name, report) in reports {
      let scenario = executing()
      let reference = DispatchReference(
        operation: scenario.id("a"),
        dispatch: DispatchNumber(rawValue: 1)
      )
      let reception = scenario.expect([], #_sourceLocation) {
        $0.workerReported(report, reference, by: WorkerID(rawValue: 1), at: $1)
      }
      #expect(reception == .stale, "\(name)")
    }
  }
}
