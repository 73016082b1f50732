package import PoolAnalysis
package import PoolInputs
import PoolModel

/// What became of an operation of a plan in a recorded run.
enum PlanState: Int, Hashable, CaseIterable {
  case failed, timedOut, lost, executing, cancelled, skipped, never, succeeded

  init(_ operation: HistoricOperation) {
    switch operation.ending {
    case .succeeded: self = .succeeded
    case .failed: self = .failed
    case .timedOut: self = .timedOut
    case .lost: self = .lost
    case .cancelled: self = .cancelled
    case .skipped: self = .skipped
    case nil: self = operation.attempts.isEmpty ? .never : .executing
    }
  }

  /// Its name in JSON.
  var name: StaticString {
    switch self {
    case .failed: "failed"
    case .timedOut: "timedOut"
    case .lost: "lost"
    case .executing: "executing"
    case .cancelled: "cancelled"
    case .skipped: "skipped"
    case .never: "never"
    case .succeeded: "succeeded"
    }
  }

  /// Its words for people.
  var words: String {
    switch self {
    case .timedOut: "timed out"
    case .never: "never executed"
    default: "\(name)"
    }
  }
}

/// What became of the operations of a plan: those with the same identifier in a recorded run.
package struct PlanStates {
  private var states: [PlanState] = []
  /// Number of operations of the plan that the run knows.
  package private(set) var knownCount = 0

  /// Looks up all operations; linear.
  package init(_ history: RunHistory, of workload: any Workload) {
    var found: [[UInt8]: PlanState] = [:]
    found.reserveCapacity(history.operations.count)
    for operation in history.operations { found[operation.id] = PlanState(operation) }
    for operation in 0..<workload.count {
      let state = found[workload.id(of: operation)]
      if state != nil { knownCount += 1 }
      states.append(state ?? .never)
    }
  }

  /// How many of some operations are in each state that occurs, the most urgent one first.
  func counts(of operations: [Int]) -> [(state: PlanState, count: Int)] {
    var counts = [Int](repeating: 0, count: PlanState.allCases.count)
    for operation in operations { counts[states[operation].rawValue] += 1 }
    return PlanState.allCases.compactMap { state in
      counts[state.rawValue] > 0 ? (state, counts[state.rawValue]) : nil
    }
  }
}
