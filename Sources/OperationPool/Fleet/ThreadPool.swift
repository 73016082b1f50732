import PoolModel
import PoolSystem
import Synchronization

/// Threads for blocks: as many as these need, each of which ends after a while without work.
///
/// The pool has threads of its own, because blocks may wait for one another: a Dispatch queue on
/// Linux starts one for each processor, and then two a second. Short blocks are executed several in
/// a row by one thread, and none waits for long behind another: see ``ThreadRoster``. A lowered
/// thread ends after its block: it cannot be raised again, and waiting for more would take a lock
/// that others want.
final class ThreadPool: Sendable {
  typealias Body = @Sendable () -> Void

  /// How long a thread waits for more to do, in nanoseconds.
  private static let patience = Int64.seconds(5)

  private let roster = Monitor(ThreadRoster<Body>())
  /// How many bodies are pending, for threads that poll without the lock.
  private let pendingCount = Atomic(0)
  private let processors = Processors.available

  /// Executes the body on another thread, now or when a thread is free for it soon; throws where
  /// none can be made.
  func execute(
    as qualityOfService: PoolQualityOfService,
    _ body: @escaping Body
  ) throws(SystemFailure) {
    guard qualityOfService.niceIncrement == 0 else {
      return try executeLowered(as: qualityOfService, body)
    }
    let now = MonotonicClock.now
    let need = roster.withLock { roster in
      defer { notePending(roster) }
      return roster.add(body, at: now)
    }
    do throws(SystemFailure) {
      try meet(need)
    } catch {
      let isLost = roster.withLock { roster in
        defer { notePending(roster) }
        return roster.giveUpThread()
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

  /// Ends the threads, each after what it executes.
  func close() {
    roster.withLock { $0.close() }
    roster.broadcast()
  }

  private func notePending(_ roster: borrowing ThreadRoster<Body>) {
    pendingCount.store(roster.pendingCount, ordering: .releasing)
  }

  private func meet(_ need: ThreadRoster<Body>.Need) throws(SystemFailure) {
    switch need {
    case .nothing: break
    case .wakeUp: roster.signal()
    case .newThread:
      // As on Dispatch's threads, signals go to the threads of the program.
      let thread = try SystemThread.start(name: "opool-block", mask: .full) { self.work() }
      thread.detach()
    }
  }
}

// MARK: - A thread

extension ThreadPool {
  /// What a thread does until it ends.
  private func work() {
    var policy = SpinPolicy()
    while true {
      switch seek(&policy) {
      case .execute(let body, let need):
        meetLater(need)
        let start = MonotonicClock.now
        body()
        let length = MonotonicClock.now - start
        roster.withLock { $0.executed(for: length) }
      case .watch:
        guard wait(isWatching: true) else { return }
      case .rest:
        guard wait(isWatching: false) else { return }
      }
    }
  }

  /// Looks for something to do; polls for a while where that pays.
  private func seek(_ policy: inout SpinPolicy) -> ThreadRoster<Body>.Order {
    let start = MonotonicClock.now
    var mayPoll = policy.pays
    while true {
      let order = roster.withLock { roster in
        defer { notePending(roster) }
        return roster.order(mayPoll: mayPoll && roster.busyCount <= processors)
      }
      let length = MonotonicClock.now - start
      if let order {
        policy.noteWait(of: length)
        return order
      }
      mayPoll = poll(until: start + SpinPolicy.span)
    }
  }

  /// Returns when something is pending, or false at the deadline.
  private func poll(until deadline: Int64) -> Bool {
    while pendingCount.load(ordering: .acquiring) == 0 {
      guard MonotonicClock.now < deadline else { return false }
      CurrentProcess.yieldProcessor()
    }
    return true
  }

  /// Waits until there is something to do; false where the thread ends.
  private func wait(isWatching: Bool) -> Bool {
    var isWatching = isWatching
    var deadline = MonotonicClock.now + Self.patience
    while true {
      let limit = isWatching ? MonotonicClock.now + ThreadRoster<Body>.patience : deadline
      _ = roster.wait(until: limit, while: { $0.wakeUps == 0 && !$0.isClosed })
      let now = MonotonicClock.now
      let (isWoken, isOver, look) = roster.withLock { roster in
        if roster.takeWakeUp(isWatching: isWatching) {
          return (true, false, nil as (needs: [ThreadRoster<Body>.Need]?, rests: Bool)?)
        }
        if roster.isClosed && roster.pendingCount == 0 || !isWatching && now >= deadline {
          roster.leave(isWatching: isWatching)
          return (false, true, nil)
        }
        return (false, false, isWatching ? roster.look(at: now) : nil)
      }
      if isOver { return false }
      if isWoken { return true }
      if let needs = look?.needs {
        for need in needs { meetLater(need) }
        return true
      }
      if look?.rests == true {
        isWatching = false
        deadline = now + Self.patience
      }
    }
  }

  /// Has a thread come for what is pending; without one, the present ones execute it.
  private func meetLater(_ need: ThreadRoster<Body>.Need) {
    do throws(SystemFailure) {
      try meet(need)
    } catch {
      roster.withLock { $0.missThread() }
    }
  }
}
