import PoolModel
import PoolReports
import PoolSystem
import Synchronization

/// The outputs of operations that other processes are reading while these execute: kept for a while
/// when they have ended, so that no end of an output is missed.
///
/// While no process follows one, an operation's end costs one test of a flag.
final class FollowedOutputs: Sendable {
  /// An output that was asked for.
  struct Followed {
    let number: Int
    /// When its attempt began.
    let start: Instant
    /// When it was last asked for, by the monotonic clock.
    var askedAt: Int64
    /// What it has written in all; nil before its end.
    var outputs: OutputPair?
    /// Whether a client that follows it does not have all of it yet.
    var isAwaited: Bool

    /// Whether the end of the run waits for its client.
    func holdsRun(at now: Int64) -> Bool {
      isAwaited && outputs != nil && now - askedAt < FollowedOutputs.farewell
    }
  }

  /// The most operations that are kept, and for how many nanoseconds: 30 s.
  private static let limit = 16
  private static let time = Int64.seconds(30)
  /// The end of a run waits for clients that follow an output and have asked within so many
  /// nanoseconds, 2 s, which is 20 of their periods, and at most so long: 5 s.
  fileprivate static let farewell = Int64.seconds(2)
  private static let longestFarewell = Int64.seconds(5)

  private let isUsed = Atomic(false)
  private let all = Monitor<[Followed]>([])

  /// An operation is asked about, which executes since then; once, or until it has ended.
  func follow(_ number: Int, since start: Instant, toItsEnd isAwaited: Bool) {
    isUsed.store(true, ordering: .relaxed)
    let now = MonotonicClock.now
    all.withLock { all in
      all.removeAll { $0.number == number && $0.start != start || now - $0.askedAt > Self.time }
      if let place = all.firstIndex(where: { $0.number == number }) {
        all[place].askedAt = now
        if isAwaited { all[place].isAwaited = true }
        return
      }
      if all.count == Self.limit { all.removeFirst() }
      all.append(Followed(number: number, start: start, askedAt: now, isAwaited: isAwaited))
    }
  }

  /// An attempt of an operation has ended.
  @inline(__always)
  func end(_ number: Int, _ outputs: @autoclosure () -> OutputPair) {
    guard isUsed.load(ordering: .relaxed) else { return }
    keep(number, outputs())
  }

  private func keep(_ number: Int, _ outputs: OutputPair) {
    all.withLock { all in
      guard let place = all.lastIndex(where: { $0.number == number }) else { return }
      all[place].outputs = outputs
    }
  }

  /// What an operation has written that has ended, if it was asked about before.
  func ended(_ number: Int) -> Followed? {
    guard isUsed.load(ordering: .relaxed) else { return nil }
    let now = MonotonicClock.now
    return all.withLock { all in
      all.removeAll { now - $0.askedAt > Self.time }
      guard let place = all.firstIndex(where: { $0.number == number && $0.outputs != nil }) else {
        return nil
      }
      all[place].askedAt = now
      return all[place]
    }
  }

  /// A client has all that an operation has written.
  func conclude(_ number: Int) {
    all.withLock { all in
      for place in all.indices where all[place].number == number { all[place].isAwaited = false }
    }
    all.broadcast()
  }

  /// The run is over: waits for clients that are about to read the rest of an output.
  func finish() {
    guard isUsed.load(ordering: .relaxed) else { return }
    let start = MonotonicClock.now
    while MonotonicClock.now - start < Self.longestFarewell {
      let isOver = all.wait(until: MonotonicClock.now + .milliseconds(50)) { all in
        let now = MonotonicClock.now
        return all.contains { $0.holdsRun(at: now) }
      }
      if isOver { return }
    }
  }
}
