import OperationPool
import PoolModel
import PoolSystem

/// Where the blocks of a random run meet the test: each begins when the pool says so, and ends when
/// the test says so.
final class PaperStage: Sendable {
  /// How an execution is told to end.
  enum Ending: CaseIterable {
    case success
    case failure
    /// As one ends that was asked to stop, whether it was or not.
    case obedience
  }

  private struct State {
    /// Executions that have begun, and those that may have, of each operation.
    var begun: [Int] = []
    var allowed: [Int] = []
    var completed: [Int] = []
    var orders: [Int: Ending] = [:]
    var faults: [String] = []
  }

  private let state = Monitor(State())

  /// The body of an operation.
  func play(_ index: Int) throws {
    state.withLock { state in
      state.begun[index] += 1
      guard state.begun[index] > state.allowed[index] else { return }
      state.faults.append("\(index) must not begin")
    }
    state.broadcast()
    let deadline = MonotonicClock.now + .seconds(60)
    guard state.wait(until: deadline, while: { $0.orders[index] == nil }) else { return }
    switch state.withLock({ $0.orders.removeValue(forKey: index) }) {
    case .success, nil: return
    case .failure: throw Refusal(description: "told to fail")
    case .obedience: throw CancellationError()
    }
  }

  /// The completion block of an operation.
  func complete(_ index: Int) {
    state.withLock { $0.completed[index] += 1 }
    state.broadcast()
  }

  /// Tells an execution how to end.
  func order(_ index: Int, _ ending: Ending) {
    state.withLock { $0.orders[index] = ending }
    state.broadcast()
  }

  /// Says what may begin from now on.
  func allow(_ begun: [Int]) {
    state.withLock { state in
      state.allowed = begun
      while state.begun.count < begun.count {
        state.begun.append(0)
        state.completed.append(0)
      }
    }
  }

  /// Waits until exactly this has begun and completed; returns what is wrong.
  func settle(begun: [Int], completed: [Int]) -> [String] {
    let deadline = MonotonicClock.now + .seconds(20)
    let isSettled = state.wait(until: deadline) { state in
      state.faults.isEmpty && (state.begun != begun || state.completed != completed)
    }
    return state.withLock { state in
      guard isSettled, state.faults.isEmpty else {
        return state.faults + [
          "begun \(state.begun), expected \(begun)",
          "completed \(state.completed), expected \(completed)",
        ]
      }
      return []
    }
  }
}
