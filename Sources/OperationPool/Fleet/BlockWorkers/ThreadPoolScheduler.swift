/// Decides which threads execute the pending bodies, and when more threads are needed; without a
/// clock.
///
/// Waking a thread takes longer than a short body, so short ones wait for a thread that will look
/// again soon. The lengths of bodies are measured, and an estimate may be wrong: one body may even
/// wait for another. So one thread watches, and bodies that have waited for ``patience`` get
/// threads.
struct ThreadPoolScheduler<Body> {
  /// Nanoseconds after which a body no longer waits for busy threads.
  static var patience: Int64 { 500_000 }
  /// Nanoseconds of work that may wait for a busy thread: about the cost of waking one.
  static var wakeCost: Int64 { 15_000 }
  /// The same where each processor has a busy thread: one thread more would only compete with them.
  static var crowdedWait: Int64 { 50_000 }
  /// Number of looks without work after which no thread watches any longer.
  static var quietLooks: Int { 20 }
  /// Maximum nanoseconds for which a body counts in the mean, so that a few short ones outweigh it.
  private static var longest: Int64 { 10_000_000 }

  /// What the caller must do for a pending body.
  enum Need: Equatable {
    case nothing
    case wakeUp
    case newThread
  }

  /// What a thread does next.
  enum Order {
    case execute(Body, Need)
    /// It has no work, and looks again after ``patience``.
    case watch
    /// It has no work until it is woken.
    case rest
  }

  private var pending = TwoStackQueue<(body: Body, since: Int64)>()
  private var executing = 0
  /// Threads that will look for work soon: they were started or woken, or poll.
  private var seeking = 0
  private var resting = 0
  /// Wake-ups that no resting thread has taken yet.
  private(set) var wakeUps = 0
  private var isWatched = false
  private var quietCount = 0
  private(set) var isClosed = false
  /// Whether a look at bodies for which the system had no thread is due.
  private var isRetryDue = false
  /// The mean length of recent bodies, in nanoseconds; at first, bodies are assumed to be long.
  private var mean = Self.patience
  private let processors: Int

  init(processors: Int) { self.processors = processors }

  var pendingCount: Int { pending.count }

  /// Threads that work, or look for work.
  var busyCount: Int { executing + seeking }

  /// Adds a body that is to be executed.
  ///
  /// If `seeksNext`, an executing thread adds it, and looks for work next; unless something keeps
  /// it from that, which another thread watches for.
  mutating func add(_ body: Body, at now: Int64, seeksNext: Bool = false) -> Need {
    pending.append((body, now))
    quietCount = 0
    let waiting = pending.count - seeking
    guard waiting > 0 else { return .nothing }
    // If no thread watches, the next one without work will.
    let isAwaited = seeksNext && waiting == 1 || mayWait(waiting)
    return isWatched && isAwaited ? .nothing : requestThread()
  }

  /// Whether the busy threads will probably soon execute this number of bodies besides their own.
  private func mayWait(_ waiting: Int) -> Bool {
    guard busyCount > 0 else { return false }
    let wait = Int64(waiting) * mean / Int64(busyCount)
    return wait <= (busyCount < processors ? Self.wakeCost : Self.crowdedWait)
  }

  private mutating func requestThread() -> Need {
    seeking += 1
    guard resting > 0 else { return .newThread }
    resting -= 1
    wakeUps += 1
    return .wakeUp
  }

  /// The thread that was needed cannot be started; returns whether no other thread will execute the
  /// body added last, which is removed then.
  mutating func giveUpThread() -> Bool {
    seeking -= 1
    guard busyCount == 0, resting == 0 else { return false }
    return pending.removeLast()
  }

  /// A thread that was needed cannot be started; the existing ones execute the pending bodies.
  mutating func missThread() { seeking -= 1 }

  /// Whether the caller must call ``retry()`` after a while, because bodies may wait that busy
  /// threads wait for; once for all of them.
  mutating func needsRetry() -> Bool {
    guard pending.count > seeking, !isWatched, !isRetryDue else { return false }
    isRetryDue = true
    return true
  }

  /// Asks again for a thread that could not be started, if a body still waits for it.
  mutating func retry() -> Need {
    isRetryDue = false
    return pending.count > seeking && !isWatched ? requestThread() : .nothing
  }

  /// The next order for a seeking thread; nil if it may poll, and goes on seeking.
  mutating func order(mayPoll: Bool) -> Order? {
    if let (body, _) = pending.popFirst() {
      seeking -= 1
      executing += 1
      // A thread that was woken for one body takes an older one: the rest must not be left without
      // a thread.
      let isLeft = pending.count > seeking && !isWatched
      return .execute(body, isLeft ? requestThread() : .nothing)
    }
    if mayPoll, !isClosed { return nil }
    seeking -= 1
    resting += 1
    guard !isWatched else { return .rest }
    isWatched = true
    return .watch
  }

  /// A thread has executed a body for this number of nanoseconds, and seeks.
  mutating func executed(for length: Int64) {
    executing -= 1
    seeking += 1
    mean += (min(length, Self.longest) - mean) / 8
  }

  /// A thread has ended while it executed a body.
  mutating func loseThread() -> Need {
    executing -= 1
    return pending.count > seeking && !isWatched ? requestThread() : .nothing
  }

  /// A resting thread takes a wake-up, and seeks; false if there is none.
  mutating func takeWakeUp(isWatching: Bool) -> Bool {
    guard wakeUps > 0 else { return false }
    wakeUps -= 1
    if isWatching { isWatched = false }
    return true
  }

  /// The watching thread looks again.
  ///
  /// Returns the needs of all bodies that have waited too long, and the thread itself begins to
  /// seek; nil if it watches on or rests.
  mutating func look(at now: Int64) -> (needs: [Need]?, rests: Bool) {
    guard let oldest = pending.first else {
      quietCount += 1
      if quietCount >= Self.quietLooks { isWatched = false }
      return (nil, !isWatched)
    }
    guard now - oldest.since >= Self.patience else { return (nil, false) }
    // Bodies that follow are assumed to be long, too.
    mean = max(mean, Self.patience)
    isWatched = false
    resting -= 1
    seeking += 1
    var needs: [Need] = []
    while seeking < pending.count { needs.append(requestThread()) }
    return (needs, false)
  }

  /// A resting thread ends.
  mutating func leave(isWatching: Bool) {
    resting -= 1
    if isWatching { isWatched = false }
  }

  mutating func close() { isClosed = true }
}

extension ThreadPoolScheduler.Order: Sendable where Body: Sendable {}
