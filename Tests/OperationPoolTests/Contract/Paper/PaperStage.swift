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
    /// Evaluations of conditions that have begun.
    var asked: [Int] = []
    var answers: [Question: CheckedContinuation<Ending, Never>] = [:]
    var orders: [Int: Ending] = [:]
    var faults: [String] = []
    /// Whether everything begins and ends as it comes.
    var isFree = false

    var sight: Sight { Sight(begun: begun, completed: completed, asked: asked) }
  }

  /// One evaluation of an operation's condition.
  struct Question: Hashable {
    var index: Int
    /// Which evaluation it is, from 1.
    var number: Int
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
    let deadline = MonotonicClock.now + .seconds(1_500)
    guard state.wait(until: deadline, while: { !$0.isFree && $0.orders[index] == nil }) else {
      return
    }
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

  /// The condition of an operation.
  func evaluate(_ index: Int) async throws -> Bool {
    let answer = await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        state.asked[index] += 1
        if !state.isFree {
          state.answers[Question(index: index, number: state.asked[index])] = continuation
        }
        return state.isFree
      }
      if isFree { continuation.resume(returning: .success) }
      state.broadcast()
    }
    if answer == .failure { throw Refusal(description: "told to fail") }
    return answer == .success
  }

  /// Answers the question whether a condition holds.
  func answer(_ question: Question, _ answer: Ending) {
    state.withLock { $0.answers.removeValue(forKey: question) }?.resume(returning: answer)
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
        state.asked.append(0)
      }
    }
  }

  /// Lets everything begin and end from now on, as it comes.
  func free(_ questions: [Question]) {
    state.withLock { state in
      state.isFree = true
      state.allowed = state.allowed.map { _ in .max }
    }
    state.broadcast()
    for question in questions { answer(question, .success) }
  }

  /// What has been seen of all operations.
  struct Sight: Equatable {
    var begun: [Int]
    var completed: [Int]
    var asked: [Int]
  }

  /// Waits until exactly this has been seen; returns what is wrong.
  func settle(_ expected: Sight) -> [String] {
    let deadline = MonotonicClock.now + .seconds(1_500)
    let isSettled = state.wait(until: deadline) { $0.faults.isEmpty && $0.sight != expected }
    return state.withLock { state in
      guard isSettled, state.faults.isEmpty else {
        return state.faults + ["seen \(state.sight)", "expected \(expected)"]
      }
      return []
    }
  }

  /// Waits until each operation has completed, and says which has not once.
  func completions() -> [String] {
    let deadline = MonotonicClock.now + .seconds(1_500)
    let isOver = state.wait(until: deadline) { $0.completed.contains { $0 != 1 } }
    return isOver ? [] : ["completed \(state.withLock { $0.completed })"]
  }
}
