import PoolModel
import PoolSystem

/// Threads for blocks: one is made when none is idle, and ends after a while without work.
///
/// The pool has threads of its own, because blocks may wait for one another: a Dispatch queue on
/// Linux starts one for each processor, and then two a second. A lowered thread ends after its
/// block: it cannot be raised again, and waiting for more would take a lock that others want.
final class ThreadPool: Sendable {
  private struct Roster {
    /// Never more than there are idle threads.
    var pending: [@Sendable () -> Void] = []
    var idle = 0
    var isClosed = false
  }

  /// How long a thread waits for more to do, in nanoseconds.
  private static let patience = Int64.seconds(5)

  private let roster = Monitor(Roster())

  /// Executes the body on a thread that is free for it at once; throws where none can be made.
  func execute(
    as qualityOfService: PoolQualityOfService,
    _ body: @escaping @Sendable () -> Void
  ) throws(SystemFailure) {
    guard qualityOfService.niceIncrement == 0 else {
      return try executeLowered(as: qualityOfService, body)
    }
    let roster = roster
    let isTaken = roster.withLock { roster in
      guard roster.pending.count < roster.idle else { return false }
      roster.pending.append(body)
      return true
    }
    guard !isTaken else { return roster.signal() }
    // As on Dispatch's threads, signals go to the threads of the program.
    let thread = try SystemThread.start(name: "opool-block", mask: .full) {
      body()
      while let next = Self.next(of: roster) { next() }
    }
    thread.detach()
  }

  private func executeLowered(
    as qualityOfService: PoolQualityOfService,
    _ body: @escaping @Sendable () -> Void
  ) throws(SystemFailure) {
    let thread = try SystemThread.start(name: "opool-block", mask: .full) {
      ThreadPriority.lower(to: qualityOfService)
      body()
    }
    thread.detach()
  }

  /// Ends the threads, each after what it executes.
  func close() {
    roster.withLock { $0.isClosed = true }
    roster.broadcast()
  }

  /// What an idle thread does next; nil where it ends.
  private static func next(of roster: Monitor<Roster>) -> (@Sendable () -> Void)? {
    roster.withLock { $0.idle += 1 }
    let deadline = MonotonicClock.now + patience
    _ = roster.wait(until: deadline, while: { $0.pending.isEmpty && !$0.isClosed })
    return roster.withLock { roster in
      roster.idle -= 1
      return roster.pending.popLast()
    }
  }
}
