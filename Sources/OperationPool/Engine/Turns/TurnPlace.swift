import PoolCore
import PoolModel
import PoolSystem
import Synchronization

/// Where turns are taken, and by whom; the engine's lock guards it.
struct TurnPlace: ~Copyable {
  /// The role, which a thread can leave without the lock.
  final class Role: Sendable {
    private let state = Atomic(TurnRole.free)

    /// Changes the role.
    fileprivate func change(_ body: (inout TurnRole) -> Bool) -> Bool {
      var found = state.load(ordering: .acquiring)
      while true {
        var changed = found
        let value = body(&changed)
        let (isDone, current) = state.weakCompareExchange(
          expected: found,
          desired: changed,
          ordering: .acquiringAndReleasing
        )
        if isDone { return value }
        found = current
      }
    }

    /// Leaves the role; see ``TurnRole/leave()``.
    func leave() -> Bool { change { $0.leave() } }

    fileprivate func set(_ role: TurnRole) { state.store(role, ordering: .releasing) }
  }

  let role = Role()
  /// What threads other than the loop's take turns with; nil while there is no block worker.
  private(set) var shared: Turn?
  /// Whether the loop waits for the role: then no other thread takes a turn.
  private var isLoopWaiting = false
  /// What blocks have answered, and the machine does not know yet.
  private var answers: [BlockAnswer] = []

  /// Whether there are answers.
  var hasAnswers: Bool { !answers.isEmpty }

  /// Lets other threads take turns, too.
  mutating func share(_ turn: Turn) { shared = turn }

  /// The loop ends, unless there are answers or another thread takes a turn.
  mutating func close() -> Bool {
    guard answers.isEmpty, role.change({ $0 == .free }) else { return false }
    shared = nil
    return true
  }

  mutating func append(_ answer: BlockAnswer) { answers.append(answer) }

  /// Moves the answers to a turn.
  mutating func takeAnswers(into turn: Turn) {
    guard hasAnswers else { return }
    swap(&answers, &turn.answers)
  }

  /// Something is to be done: takes the role for a thread other than the loop's.
  ///
  /// Returns nil if that must not be, or if another thread will look.
  func take() -> Turn? {
    guard let shared, !isLoopWaiting, role.change({ $0.take() }) else { return nil }
    return shared
  }

  /// Something is to be done, but not by the caller: whether a thread that takes turns will look.
  func want() -> Bool { shared != nil && (isLoopWaiting || role.change { $0.want() }) }

  /// Takes the role for the loop; if it is false, the loop waits until ``loopCanTake()``.
  mutating func takeForLoop() -> Bool {
    isLoopWaiting = !loopCanTake()
    return !isLoopWaiting
  }

  /// Takes the role for the loop, if no other thread has it.
  func loopCanTake() -> Bool { role.change { $0.take() } }

  /// The loop has waited for the role, and has it.
  mutating func loopHasTaken() { isLoopWaiting = false }

  /// Whether a thread that looks again may go on: the loop does not wait for the role.
  var mayGoOn: Bool { !isLoopWaiting }

  /// The thread goes on.
  func goOn() { role.set(.held) }

  /// The thread leaves; returns whether the loop must be told that the role is free.
  func free() -> Bool {
    role.set(.free)
    return isLoopWaiting
  }
}
