/// Which of a worker's two threads reads what the coordinator sends.
///
/// While operations are short, the executor does, whenever it has nothing else to do: no other
/// thread need be woken for any of them. While one is long somebody must listen all the same, and
/// that is the I/O thread: it looks in once in a while, and takes over where nobody has read
/// between two looks. It hands back with the next operations that the executor had to wait for, or
/// once the executor has come by, which it does whenever it has sent something before an operation.
struct ReadingTurns {
  /// What the I/O thread does next.
  enum Turn {
    /// Looks in again after a while.
    case wait
    /// Sleeps until it is called.
    case rest
    /// Reads until it has handed back.
    case read
  }

  private enum Reader {
    case executor
    case ioThread
  }

  /// How many turns in a row the I/O thread finds the executor with nothing to do before it rests.
  static let turnsBeforeRest = 20

  private var reader: Reader?
  /// Whether the executor waits for what the I/O thread reads.
  private var isExecutorWaiting = false
  /// Whether the executor would have read by itself since the I/O thread took over.
  private var isExecutorBack = false
  /// Whether the executor began to read since the I/O thread looked in last.
  private var hasRead = false
  private var idleTurns = 0
  private var isAttended = false

  // MARK: - The executor

  /// The executor has nothing to do: returns whether it reads, or else waits.
  mutating func beginReading() -> Bool {
    isExecutorWaiting = reader != nil
    guard !isExecutorWaiting else { return false }
    reader = .executor
    hasRead = true
    return true
  }

  /// The executor is about to execute something: returns whether it reads before what is there by
  /// now.
  mutating func beginGlance() -> Bool {
    if reader == .ioThread { isExecutorBack = true }
    return reader == nil && beginReading()
  }

  /// The executor waits no more.
  mutating func endWaiting() { isExecutorWaiting = false }

  /// The executor has dealt with what it read, and executes something next, or not: returns whether
  /// the I/O thread rests, and must be called.
  ///
  /// After a glance as well: to the I/O thread, an executor that reads looks idle.
  mutating func endReading(executes: Bool) -> Bool {
    reader = nil
    guard executes, !isAttended else { return false }
    isAttended = true
    idleTurns = 0
    return true
  }

  // MARK: - The I/O thread

  /// What the I/O thread does, which looked in just now.
  mutating func attend() -> Turn {
    if reader == .executor {
      idleTurns += 1
      guard idleTurns >= Self.turnsBeforeRest else { return .wait }
      isAttended = false
      return .rest
    }
    idleTurns = 0
    guard !hasRead else {
      hasRead = false
      return .wait
    }
    reader = .ioThread
    return .read
  }

  /// The I/O thread has dealt with what it read, and the executor has something to do, or not:
  /// returns whether the I/O thread goes on reading.
  mutating func goesOnReading(isExecutorIdle: Bool) -> Bool {
    let isWanted = isExecutorWaiting ? !isExecutorIdle : isExecutorBack
    guard isWanted else { return true }
    reader = nil
    isExecutorBack = false
    return false
  }
}
