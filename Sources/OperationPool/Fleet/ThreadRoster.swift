/// Which threads execute what is pending, and when more of them are needed; without a clock.
///
/// Waking a thread takes longer than a short body, so that short ones wait for a thread that will
/// look again soon. How long bodies take is measured, and an estimate may be wrong: one body may
/// wait for another. So a thread watches, and what has waited for ``patience`` gets threads.
struct ThreadRoster<Body> {
  /// Nanoseconds after which a body does not wait for busy threads any more.
  static var patience: Int64 { 500_000 }
  /// Nanoseconds of work that may wait for a busy thread: about what it takes to wake one.
  static var wakeCost: Int64 { 15_000 }
  /// Looks without anything to do after which no thread watches any more.
  static var quietLooks: Int { 20 }
  /// Nanoseconds that a body counts for at most, so that a few short ones outweigh it.
  private static var longest: Int64 { 10_000_000 }

  /// What the caller must do for what is pending.
  enum Need: Equatable {
    case nothing
    case wakeUp
    case newThread
  }

  /// What a thread does next.
  enum Order {
    case execute(Body, Need)
    /// It has nothing to do, and looks again after ``patience``.
    case watch
    /// It has nothing to do until it is woken.
    case rest
  }

  private var pending = TwoStackQueue<(body: Body, since: Int64)>()
  private var executing = 0
  /// Threads that will look for something soon: they were made or woken, or poll.
  private var seeking = 0
  private var resting = 0
  /// Wake-ups that no resting thread has taken.
  private(set) var wakeUps = 0
  private var isWatched = false
  private var quietCount = 0
  private(set) var isClosed = false
  /// What bodies have taken lately, in nanoseconds; at first each is taken for a long one.
  private var mean = Self.patience

  init() {}

  var pendingCount: Int { pending.count }

  /// Threads that work, or look for work.
  var busyCount: Int { executing + seeking }

  /// A body is to be executed.
  mutating func add(_ body: Body, at now: Int64) -> Need {
    pending.append((body, now))
    quietCount = 0
    let waiting = pending.count - seeking
    guard waiting > 0 else { return .nothing }
    // Where no thread watches, the next one without work will.
    let isShort = executing > 0 && Int64(waiting) * mean / Int64(executing) <= Self.wakeCost
    return isShort && isWatched ? .nothing : summon()
  }

  private mutating func summon() -> Need {
    seeking += 1
    guard resting > 0 else { return .newThread }
    resting -= 1
    wakeUps += 1
    return .wakeUp
  }

  /// The thread that was needed cannot be made; returns whether nothing else executes the body that
  /// was added last, which is removed then.
  mutating func giveUpThread() -> Bool {
    seeking -= 1
    guard busyCount == 0, resting == 0 else { return false }
    return pending.removeLast()
  }

  /// A thread that was needed cannot be made; the present ones execute what is pending.
  mutating func missThread() { seeking -= 1 }

  /// What a seeking thread does; nil where it may poll, and it seeks on.
  mutating func order(mayPoll: Bool) -> Order? {
    if let (body, _) = pending.popFirst() {
      seeking -= 1
      executing += 1
      // A thread that was woken for one body takes an older one: the rest must not be left alone.
      let isLeft = pending.count > seeking && !isWatched
      return .execute(body, isLeft ? summon() : .nothing)
    }
    if mayPoll, !isClosed { return nil }
    seeking -= 1
    resting += 1
    guard !isWatched else { return .rest }
    isWatched = true
    return .watch
  }

  /// A thread has executed a body for so many nanoseconds, and seeks.
  mutating func executed(for length: Int64) {
    executing -= 1
    seeking += 1
    mean += (min(length, Self.longest) - mean) / 8
  }

  /// A resting thread takes a wake-up, and seeks; false where there is none.
  mutating func takeWakeUp(isWatching: Bool) -> Bool {
    guard wakeUps > 0 else { return false }
    wakeUps -= 1
    if isWatching { isWatched = false }
    return true
  }

  /// The watching thread looks after its time: returns what it needs for each body that has waited
  /// too long, after it has begun to seek itself; nil where it watches on or rests.
  mutating func look(at now: Int64) -> (needs: [Need]?, rests: Bool) {
    guard let oldest = pending.first else {
      quietCount += 1
      if quietCount >= Self.quietLooks { isWatched = false }
      return (nil, !isWatched)
    }
    guard now - oldest.since >= Self.patience else { return (nil, false) }
    // Those that follow are taken for long ones, too.
    mean = max(mean, Self.patience)
    isWatched = false
    resting -= 1
    seeking += 1
    var needs: [Need] = []
    while seeking < pending.count { needs.append(summon()) }
    return (needs, false)
  }

  /// A resting thread ends.
  mutating func leave(isWatching: Bool) {
    resting -= 1
    if isWatching { isWatched = false }
  }

  mutating func close() { isClosed = true }
}

/// A queue of amortised O(1): what is added waits until all older elements are taken.
struct TwoStackQueue<Element> {
  private var older: [Element] = []
  private var newer: [Element] = []

  var count: Int { older.count + newer.count }
  var first: Element? { older.last ?? newer.first }

  mutating func append(_ element: Element) { newer.append(element) }

  mutating func popFirst() -> Element? {
    if older.isEmpty {
      guard newer.count > 1 else { return newer.popLast() }
      swap(&older, &newer)
      older.reverse()
    }
    return older.popLast()
  }

  /// Removes the element that was added last; false where there is none.
  mutating func removeLast() -> Bool {
    guard newer.isEmpty else { return newer.popLast() != nil }
    guard !older.isEmpty else { return false }
    older.removeFirst()
    return true
  }
}

extension ThreadRoster.Order: Sendable where Body: Sendable {}
