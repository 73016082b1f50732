import PoolModel
import PoolSystem
import Synchronization

/// Threads for blocks: as many as the blocks need; each ends after a while without work.
///
/// The pool has threads of its own, because blocks may wait for one another: a Dispatch queue on
/// Linux starts one thread for each processor, and then only two a second. One thread executes
/// several short blocks in a row, but none waits long behind another: see ``ThreadPoolScheduler``. A
/// thread of lowered priority ends after its block: it cannot be raised again, and waiting for more
/// would take a lock that others want.
final class ThreadPool: Sendable {
  typealias Body = @Sendable () -> Void

  /// How long a thread waits for work, in nanoseconds.
  private static let patience = Int64.seconds(5)

  private let scheduler: Monitor<ThreadPoolScheduler<Body>>
  /// The threads that have no work.
  private let idle = IdleThreads()
  /// How many bodies are pending, for threads that poll without the lock.
  private let pendingCount = Atomic(0)
  private let processors = Processors.available

  init() { scheduler = Monitor(ThreadPoolScheduler(processors: processors)) }

  /// Executes the body on another thread, now or when a thread is free soon; throws if no thread
  /// can be started.
  func execute(
    as qualityOfService: PoolQualityOfService,
    _ body: @escaping Body
  ) throws(SystemFailure) {
    guard qualityOfService.niceIncrement == 0 else {
      return try executeLowered(as: qualityOfService, body)
    }
    let now = MonotonicClock.now
    let need = scheduler.withLock { scheduler in
      defer { notePending(scheduler) }
      return scheduler.add(body, at: now)
    }
    do throws(SystemFailure) {
      try meet(need)
    } catch {
      let isLost = scheduler.withLock { scheduler in
        defer { notePending(scheduler) }
        return scheduler.giveUpThread()
      }
      if isLost { throw error }
    }
  }

  private func executeLowered(
    as qualityOfService: PoolQualityOfService,
    _ body: @escaping Body
  ) throws(SystemFailure) {
    let thread = try SystemThread.start(name: "opool-block", mask: .full) {
      ThreadPriority.lower(to: qualityOfService)
      body()
    }
    thread.detach()
  }

  /// Ends the threads, each after its current body.
  func close() {
    scheduler.withLock { $0.close() }
    idle.wakeAll()
  }

  private func notePending(_ scheduler: borrowing ThreadPoolScheduler<Body>) {
    pendingCount.store(scheduler.pendingCount, ordering: .releasing)
  }

  private func meet(_ need: ThreadPoolScheduler<Body>.Need) throws(SystemFailure) {
    switch need {
    case .nothing: break
    case .wakeUp: idle.wakeOne()
    case .newThread:
      // With a full mask, as on Dispatch's threads, signals go to the threads of the program.
      let thread = try SystemThread.start(name: "opool-block", mask: .full) { self.work() }
      thread.detach()
    }
  }
}

// MARK: - A thread

extension ThreadPool {
  /// The main function of a thread.
  private func work() {
    var policy = SpinPolicy()
    let sleeper = IdleThreads.Sleeper(false)
    var length: Int64?
    while true {
      switch seek(&policy, after: length.take()) {
      case .execute(let body, let need):
        meetLater(need)
        let start = MonotonicClock.now
        body()
        length = MonotonicClock.now - start
      case .watch:
        guard wait(sleeper, isWatching: true) else { return }
      case .rest:
        guard wait(sleeper, isWatching: false) else { return }
      }
    }
  }

  /// Looks for work, after a body of this number of nanoseconds, if any; polls for a while if that
  /// pays.
  private func seek(
    _ policy: inout SpinPolicy,
    after executed: Int64?
  ) -> ThreadPoolScheduler<Body>.Order {
    let start = MonotonicClock.now
    var mayPoll = policy.pays
    var executed = executed
    while true {
      let order = scheduler.withLock { scheduler in
        defer { notePending(scheduler) }
        if let length = executed.take() { scheduler.executed(for: length) }
        return scheduler.order(mayPoll: mayPoll && scheduler.busyCount <= processors)
      }
      let length = MonotonicClock.now - start
      if let order {
        policy.noteWait(of: length)
        return order
      }
      mayPoll = poll(until: start + SpinPolicy.span)
    }
  }

  /// Polls until a body is pending; false at the deadline.
  private func poll(until deadline: Int64) -> Bool {
    while pendingCount.load(ordering: .acquiring) == 0 {
      guard MonotonicClock.now < deadline else { return false }
      CurrentProcess.yieldProcessor()
    }
    return true
  }

  /// Waits until there is work; false if the thread ends.
  private func wait(_ sleeper: IdleThreads.Sleeper, isWatching: Bool) -> Bool {
    var isWatching = isWatching
    var deadline = MonotonicClock.now + Self.patience
    while true {
      let limit = isWatching ? MonotonicClock.now + ThreadPoolScheduler<Body>.patience : deadline
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
    case seek([ThreadPoolScheduler<Body>.Need])
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
  private func meetLater(_ need: ThreadPoolScheduler<Body>.Need) {
    do throws(SystemFailure) {
      try meet(need)
    } catch {
      scheduler.withLock { $0.missThread() }
    }
  }
}
