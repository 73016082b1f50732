import Dispatch
import PoolModel
import PoolSystem
import Synchronization

/// Threads for blocks: as many as the blocks need; each ends after a while without work.
///
/// The pool has threads of its own, because blocks may wait for one another: a Dispatch queue on
/// Linux starts one thread for each processor, and then only two a second. One thread executes
/// several short blocks in a row, but none waits long behind another: see ``ThreadPoolScheduler``.
/// A thread of lowered priority ends after its block: it cannot be raised again, and waiting for
/// more would take a lock that others want.
final class ThreadPool: Sendable {
  typealias Scheduler = ThreadPoolScheduler<any ThreadWork>

  /// How long a thread waits for work, in nanoseconds.
  private static let patience = Int64.seconds(5)

  private let scheduler: Monitor<Scheduler>
  /// The threads that have no work.
  private let idle = IdleThreads()
  /// How many bodies are pending, for threads that poll without the lock.
  private let pendingCount = Atomic(0)
  private let processors = Processors.available
  private let start: Starter
  private let onLoop: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// Starts a thread that executes a closure; calls `ended` on it if the closure ends the thread
  /// instead of returning.
  typealias Starter =
    @Sendable (
      _ ended: @escaping @Sendable () -> Void,
      _ body: @escaping @Sendable () -> Void
    ) throws(SystemFailure) -> Void

  /// Makes a pool without threads; the first closure has another one called on a thread whose
  /// attributes new threads may inherit.
  init(
    onLoop: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() },
    start: @escaping Starter = ThreadPool.startThread
  ) {
    scheduler = Monitor(Scheduler(processors: processors))
    self.onLoop = onLoop
    self.start = start
  }

  /// Starts a thread of the system.
  static func startThread(
    _ ended: @escaping @Sendable () -> Void,
    _ body: @escaping @Sendable () -> Void
  ) throws(SystemFailure) {
    // With a full mask, as on Dispatch's threads, signals go to the threads of the program.
    try SystemThread.start(name: "opool-block", mask: .full, ended: ended, body).detach()
  }

  /// Executes the work on another thread, now or when a thread is free soon; throws if no thread
  /// can be started.
  ///
  /// With a lowered quality of service it must need no task, and the caller must not be a foreign
  /// thread.
  func execute(
    _ work: any ThreadWork,
    as qualityOfService: PoolQualityOfService,
    on thread: BlockThread = .loop
  ) throws(SystemFailure) {
    guard qualityOfService.niceIncrement == 0 else {
      return try executeLowered(work, as: qualityOfService)
    }
    let now = MonotonicClock.now
    let need = scheduler.withLock { scheduler in
      defer { notePending(scheduler) }
      return scheduler.add(work, at: now, seeksNext: thread == .seeking)
    }
    if need == .newThread, thread == .foreign { return onLoop { self.meetLater(need) } }
    do throws(SystemFailure) {
      try meet(need)
    } catch {
      let isLost = scheduler.withLock { scheduler in
        defer { notePending(scheduler) }
        return scheduler.giveUpThread()
      }
      if isLost { throw error }
      retryLater()
    }
  }

  private func executeLowered(
    _ work: any ThreadWork,
    as qualityOfService: PoolQualityOfService
  ) throws(SystemFailure) {
    try start(work.threadEnded) {
      ThreadPriority.lower(to: qualityOfService)
      work.execute()
    }
  }

  /// Ends the threads, each after its current body.
  func close() {
    scheduler.withLock { $0.close() }
    idle.wakeAll()
  }

  private func notePending(_ scheduler: borrowing Scheduler) {
    pendingCount.store(scheduler.pendingCount, ordering: .releasing)
  }

  private func meet(_ need: Scheduler.Need) throws(SystemFailure) {
    switch need {
    case .nothing: break
    case .wakeUp: idle.wakeOne()
    case .newThread:
      let turn = ThreadTurn()
      try start({ self.lose(turn) }, { self.work(turn) })
    }
  }
}

// MARK: - A thread

extension ThreadPool {
  /// The main function of a thread.
  private func work(_ turn: ThreadTurn) {
    turn.begin()
    let sleeper = IdleThreads.Sleeper(false)
    while true {
      switch turn.order.take() ?? seek(turn) {
      case .execute(let work, let need):
        begin(need, turn)
        execute(consume work, turn)
      case .watch:
        guard wait(sleeper, isWatching: true) else { return }
      case .rest:
        guard wait(sleeper, isWatching: false) else { return }
      }
    }
  }

  /// What the thread executes has ended the thread: another one does the rest.
  private func lose(_ turn: ThreadTurn) {
    let work = turn.work
    let need = scheduler.withLock { scheduler in
      defer { notePending(scheduler) }
      return scheduler.loseThread()
    }
    if need != .nothing { meetLater(need) }
    work?.threadEnded()
  }

  /// The thread begins the work that it has found; meets the need for another thread first.
  private func begin(_ need: Scheduler.Need, _ turn: ThreadTurn) {
    guard need != .nothing else { return }
    meetLater(need)
    turn.start = MonotonicClock.now
  }

  private func execute(_ work: consuming any ThreadWork, _ turn: ThreadTurn) {
    turn.work = work
    guard let execution = work.ofTask else {
      work.execute()
      turn.work = nil
      return
    }
    let (number, quality) = (turn.number, execution.qualityOfService)
    // Kept by the task alone, and only until its end: other work in the task may go on for long.
    // Unsafe for the compiler alone, which cannot see that this thread no longer uses it.
    nonisolated(unsafe) var first: BlockExecution? = consume execution
    _ = consume work
    ImmediateTask.start(priority: TaskPriority(quality)) {
      await BlockExecution.executeInTask { task in
        if let first = first.take() { return first }
        // What one has done to the task must not reach the next.
        guard turn.isCurrent(number), task.isUnchanged else { return nil }
        return self.next(turn, as: quality)
      } on: {
        turn.isCurrent(number) ? .seeking : .foreign
      }
    }
    turn.endTask()
  }

  /// What the thread's task executes next: one of the same quality of service.
  ///
  /// Other work is left to the thread.
  private func next(_ turn: ThreadTurn, as quality: PoolQualityOfService) -> BlockExecution? {
    let order = seek(turn)
    guard case .execute(let work, let need) = order, let next = work.ofTask,
      next.qualityOfService == quality
    else {
      turn.order = order
      return nil
    }
    begin(need, turn)
    turn.work = next
    return next
  }

  /// Looks for work, after the current one, if any; polls for a while if that pays.
  private func seek(_ turn: ThreadTurn) -> Scheduler.Order {
    let start = MonotonicClock.now
    var mayPoll = turn.policy.pays
    var executed = turn.start.take().map { start - $0 }
    while true {
      let order = scheduler.withLock { scheduler in
        defer { notePending(scheduler) }
        if let length = executed.take() { scheduler.executed(for: length) }
        return scheduler.order(mayPoll: mayPoll && scheduler.busyCount <= processors)
      }
      let now = MonotonicClock.now
      if let order {
        turn.policy.noteWait(of: now - start)
        if case .execute = order { turn.start = now }
        return order
      }
      mayPoll = poll(until: start + SpinPolicy.span)
    }
  }

  /// Polls until a body is pending; false at the deadline.
  private func poll(until deadline: Int64) -> Bool {
    while pendingCount.load(ordering: .acquiring) == 0 {
      guard MonotonicClock.now < deadline else { return false }
      SystemThread.yieldProcessor()
    }
    return true
  }

  /// Waits until there is work; false if the thread ends.
  private func wait(_ sleeper: IdleThreads.Sleeper, isWatching: Bool) -> Bool {
    var isWatching = isWatching
    var deadline = MonotonicClock.now + Self.patience
    while true {
      let limit = isWatching ? MonotonicClock.now + Scheduler.patience : deadline
      idle.sleep(sleeper, until: limit, isLast: isWatching) {
        self.scheduler.withLock { $0.wakeUps == 0 && !$0.isClosed }
      }
      switch waking(isWatching: isWatching, isLate: MonotonicClock.now >= deadline) {
      case .seek(let needs):
        for need in needs { meetLater(need) }
        return true
      case .end: return false
      case .wait: break
      case .rest:
        isWatching = false
        deadline = MonotonicClock.now + Self.patience
      }
    }
  }

  /// What an idle thread does after it has slept.
  private enum Waking {
    /// It looks for work, after these needs of bodies that have waited too long are met.
    case seek([Scheduler.Need])
    /// It goes on waiting as before.
    case wait
    /// It watches no longer.
    case rest
    case end
  }

  private func waking(isWatching: Bool, isLate: Bool) -> Waking {
    let now = MonotonicClock.now
    return scheduler.withLock { scheduler in
      if scheduler.takeWakeUp(isWatching: isWatching) { return .seek([]) }
      if scheduler.isClosed && scheduler.pendingCount == 0 || !isWatching && isLate {
        scheduler.leave(isWatching: isWatching)
        return .end
      }
      guard isWatching else { return .wait }
      let look = scheduler.look(at: now)
      if let needs = look.needs { return .seek(needs) }
      return look.rests ? .rest : .wait
    }
  }

  /// Starts or wakes a thread for the pending body; if that fails, the existing threads execute it.
  private func meetLater(_ need: Scheduler.Need) {
    do throws(SystemFailure) {
      try meet(need)
    } catch {
      scheduler.withLock { $0.missThread() }
      retryLater()
    }
  }

  /// Asks for a thread again, in case a body waits that a busy thread waits for.
  private func retryLater() {
    guard scheduler.withLock({ $0.needsRetry() }) else { return }
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(100)) {
      self.meetLater(self.scheduler.withLock { $0.retry() })
    }
  }
}
