import PoolModel

/// The operations that a worker has, and the rules for giving it more.
struct WorkerAssignments {
  let id: WorkerID
  let configuration: ConfigurationID
  var queue = AssignmentQueue()
  /// Whether it takes operations.
  var isOpen = false
  /// Whether it returns operations that it has not started when they are recalled.
  var returns = false
  /// Whether it takes operations beyond the one that it executes, returns them, and stops them.
  var prefetches = false
  /// Nanoseconds for which a timeout is left to the worker, which keeps it itself.
  var patience: Int64 = 0
  /// Number of operations that it may still answer.
  var allowance = Int.max
  /// Whether it has answered no operation yet.
  var isFresh = true
  /// Whether its first operation is being torn down.
  var isTornDown = false
  /// Whether all operations behind the first were recalled.
  var hasRecalled = false
  /// Whether its first operation is a suspect, so that nothing may wait behind it.
  var isAlone = false
  /// Whether it is in the list of workers that may have room to prefetch.
  var isListed = false
  /// The priority level of the operation that it was given last.
  var lastLevel = 0
  var answerRate = AnswerRate()
  /// How much it may hold.
  var window = PrefetchWindow()
  /// The last dispatch that it was asked to return, if any.
  var recalledUpTo = DispatchNumber(rawValue: 0)

  /// How long a worker that keeps timeouts itself may be silent beyond one: 300 s, as long as an
  /// outage of its link that a run survives.
  static let patience = Int64.seconds(300)

  init(id: WorkerID, configuration: ConfigurationID) {
    self.id = id
    self.configuration = configuration
  }

  /// How long an operation with this timeout may take until it is ended from here.
  @inline(__always)
  func limit(of timeout: Int64) -> Int64 {
    timeout > .max - patience ? .max : timeout + patience
  }

  /// Whether it could execute an operation at once.
  var isIdle: Bool { isOpen && queue.isEmpty }

  /// Whether operations may wait in its queue behind the first.
  var canPrefetch: Bool {
    isOpen && prefetches && !isTornDown && !hasRecalled && !isAlone && !window.isCongested
  }

  /// Whether so little prefetched work is left that the worker is given more; `gathers` says
  /// whether answers may wait.
  func runsLow(gathers: Bool) -> Bool {
    window.runsLow(queue.prefetchedWork, count: queue.count - 1, gathers: gathers)
  }

  /// Whether an operation with this key would wait behind a less urgent one.
  func holdsBack(_ key: ReadyKey) -> Bool { key.level < lastLevel }

  /// Whether one more operation of this expected length may wait here; `few` is the permitted
  /// number of those that are not short.
  func hasRoom(for expected: Int64, few: Int = 0) -> Bool {
    guard canPrefetch, let first = queue.first, queue.count < allowance else { return false }
    let (work, count) = (queue.prefetchedWork, queue.count - 1)
    return window.allows(expected, beyond: work, count: count)
      || PrefetchPolicy.allows(
        expected,
        asOneOf: few,
        behind: first.expected,
        beyond: work,
        count: count
      )
  }
}

/// How fast a worker answers, for estimates of the lengths of executions.
///
/// Answers to short operations arrive in batches, so time is measured from batch to batch.
struct AnswerRate {
  /// When the worker last became busy, or its last batch was counted.
  var since = Instant.zero
  var answers = 0
  /// The kind queue of the latest answer.
  var kindQueue: KindQueueHandle?
  /// The expected length of the latest answered operation, in nanoseconds.
  var expected: Int64 = 0
  /// Whether the operations behind were recalled meanwhile, because they had waited too long.
  var isSlow = false
  /// Whether the worker had nothing when it was given the first of the answered operations.
  var isFirst = false
  /// The sum of the lengths that a worker behind a link has told, and their number.
  var told: (nanoseconds: Int64, count: Int) = (0, 0)
  /// When the latest operation of these was dispatched.
  var lastDispatched = Instant.zero

  /// The average length of the executions: as told, because a link makes answers late; if one was
  /// not told, by the time for all, without the link's delay.
  func average(until now: Instant, behind window: PrefetchWindow) -> Int64 {
    if told.count == answers { return told.nanoseconds / Int64(answers) }
    let time = now.nanoseconds - since.nanoseconds
    return max(isFirst ? time - window.delay : time, 1) / Int64(answers)
  }

  /// By how much the link made the answers late: known if the worker had nothing before, and was
  /// given all of it at once.
  func lateness(at now: Instant) -> Int64? {
    guard isFirst, told.count == answers, lastDispatched == since else { return nil }
    return now.nanoseconds - since.nanoseconds - told.nanoseconds
  }
}
