import PoolCore
import PoolModel
import PoolSystem

// Turns of threads other than the loop's.

extension PoolEngine {
  /// Maximum number of turns that a thread takes in a row before it leaves the rest to the loop: it
  /// may have a block to execute.
  private static let turnLimit = 32

  /// A block worker has answered: tells the machine, and performs what follows, unless another
  /// thread takes turns, which does that, or the loop must.
  func blockAnswered(_ answer: BlockAnswer, on thread: BlockThread) {
    let now = now
    // A lowered thread would delay all others.
    let mayTake = thread != .ending && !ThreadPriority.isLowered
    let (turn, sleeper) = NormalPriorityThread.execute {
      shared.withLock { shared -> (Turn?, WakePipe?) in
        guard shared.wakeUps.hasLoop else { return (nil, nil) }
        shared.turns.append(answer)
        if mayTake, let turn = shared.turns.take() {
          return (turn, decide(turn, &shared, at: now))
        }
        return (nil, shared.turns.want() ? nil : shared.wakeUps.wake())
      }
    }
    sleeper?.wake()
    if let turn { takeTurns(turn, atMost: Self.turnLimit, on: thread) }
    forgetReleased()
  }

  /// Operations were added, under the lock: dispatches them, if they go to block workers and no
  /// other thread takes turns; returns the turn in which the caller must do so, after releasing the
  /// lock, and the pipe that it must wake.
  func turnForAdded(
    _ shared: inout Shared,
    since deadline: Instant?,
    mayTake: Bool
  ) -> (Turn?, WakePipe?) {
    guard mayTake, shared.transaction.machine.wantsTurn, let turn = shared.turns.take() else {
      return (nil, shared.sleeper(since: deadline))
    }
    shared.transaction.machine.dispatch(at: shared.transaction.now)
    let sleeper = takeEffects(turn, &shared, since: deadline, whileAdding: true)
    if !turn.effects.isEmpty { return (turn, sleeper) }
    // What others have left meanwhile is the loop's, too.
    if shared.turns.free() { self.shared.signal() }
    return (nil, sleeper)
  }

  /// Performs the dispatches of operations that the caller has added, and leaves all else to the
  /// loop.
  func dispatchAdded(_ turn: Turn) { takeTurns(turn, atMost: 1, on: .foreign) }

  /// Performs the effects, and takes further turns while there is something to do.
  private func takeTurns(_ turn: Turn, atMost limit: Int, on thread: BlockThread) {
    perform(turn, on: thread)
    var count = 1
    // Mostly nothing has happened meanwhile, and no lock is needed.
    while !role.leave() {
      let now = now
      let (goesOn, sleeper) = shared.withLock { shared -> (Bool, WakePipe?) in
        let hasWork = hasWork(shared)
        // Effects that are still there are the loop's.
        let isOthers = !shared.transaction.machine.context.effects.isEmpty
        if hasWork, count < limit, !isOthers, shared.turns.mayGoOn {
          shared.turns.goOn()
          return (true, decide(turn, &shared, at: now))
        }
        if shared.turns.free() { self.shared.signal() }
        return (false, hasWork ? shared.wakeUps.wake() : nil)
      }
      sleeper?.wake()
      guard goesOn else { return }
      perform(turn, on: thread)
      count += 1
    }
  }

  private func hasWork(_ shared: borrowing Shared) -> Bool {
    shared.turns.hasAnswers || shared.transaction.machine.wantsTurn
  }

  /// Under the lock, with the role: the machine hears the answers, and dispatches.
  private func decide(_ turn: Turn, _ shared: inout Shared, at now: Instant) -> WakePipe? {
    shared.transaction.advance(to: now)
    let deadline = shared.transaction.machine.nextDeadline
    shared.turns.takeAnswers(into: turn)
    for answer in turn.answers {
      let report = turn.report(answer.ending, answer.report)
      shared.transaction.answer(report, answer.reference, by: answer.worker)
    }
    shared.transaction.machine.dispatch(at: shared.transaction.now)
    return takeEffects(turn, &shared, since: deadline, whileAdding: false)
  }

  /// Takes the effects if the caller can perform all of them; otherwise the loop is woken for them.
  private func takeEffects(
    _ turn: Turn,
    _ shared: inout Shared,
    since deadline: Instant?,
    whileAdding isAdding: Bool
  ) -> WakePipe? {
    guard turn.canPerform(shared.transaction.machine.context.effects, whileAdding: isAdding) else {
      return shared.wakeUps.wake()
    }
    turn.settledLast =
      !turn.answers.isEmpty && shared.transaction.machine.graph.unsettledCount == 0
    shared.transaction.takeEffects(for: turn)
    return shared.transaction.machine.nextDeadline == deadline ? nil : shared.wakeUps.wake()
  }

  /// Performs the effects of the turn.
  private func perform(_ turn: Turn, on thread: BlockThread) {
    turn.noteAnswered()
    guard !turn.effects.isEmpty else { return }
    for effect in turn.effects {
      turn.perform(effect, on: thread)
      turn.advance(by: 1)
    }
    turn.end()
    _ = turn.client.finishTurn()
    if turn.settledLast { turn.becameIdle() }
  }
}

extension PoolEngine.Shared {
  /// What the caller must wake after a change that it leaves to others: the loop, unless a thread
  /// that takes turns looks.
  ///
  /// Only the loop waits for deadlines: it must hear of a new one also while another thread takes
  /// turns.
  func sleeper(since deadline: Instant?) -> WakePipe? {
    transaction.machine.nextDeadline == deadline ? sleeper() : wakeUps.wake()
  }

  /// The same after a change that makes no deadline.
  func sleeper() -> WakePipe? {
    transaction.machine.wantsTurn && !turns.want() ? wakeUps.wake() : nil
  }
}

// MARK: - Turns of the loop

extension PoolEngine {
  /// Lets other threads take turns, too.
  func share(_ turn: Turn) { shared.withLock { $0.turns.share(turn) } }

  /// The loop begins a turn, and takes the answers of blocks; waits until no other thread takes a
  /// turn.
  func beginLoopTurn(_ turn: Turn) {
    let isTaken = shared.withLock { shared in
      guard shared.turns.takeForLoop() else { return false }
      shared.turns.takeAnswers(into: turn)
      return true
    }
    guard !isTaken else { return }
    shared.wait(
      while: { !$0.turns.loopCanTake() },
      then: { shared in
        shared.turns.loopHasTaken()
        shared.turns.takeAnswers(into: turn)
      }
    )
  }

  /// The loop ends a turn; returns whether it must take another one at once.
  func endLoopTurn() -> Bool {
    guard !role.leave() else { return false }
    return shared.withLock { shared in
      _ = shared.turns.free()
      guard hasWork(shared) else { return false }
      shared.wakeUps.stayAwake()
      return true
    }
  }
}
