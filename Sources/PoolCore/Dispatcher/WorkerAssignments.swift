import PoolModel

/// What a worker has, and what it may be given.
struct WorkerAssignments {
  let id: WorkerID
  let configuration: ConfigurationID
  var queue = AssignmentQueue()
  /// Whether it takes operations.
  var isOpen = false
  /// Whether it gives back what it has not started.
  var returns = false
  /// Whether it accepts operations beyond the one that it executes, gives them back, and stops
  /// them.
  var prefetches = false
  /// How many operations it may answer from now on.
  var allowance = Int.max
  /// Whether it has answered nothing yet.
  var isFresh = true
  /// Whether the first of the queue is being made to end.
  var isTornDown = false
  /// Whether everything behind the first of the queue was asked back.
  var hasRecalled = false
  /// Whether the first of the queue is in quarantine, and nothing may wait behind it.
  var isAlone = false
  /// Whether it is listed among those with room behind what they execute.
  var isListed = false
  /// The priority level of what it was given last.
  var lastLevel = 0
  var answerRate = AnswerRate()

  init(id: WorkerID, configuration: ConfigurationID) {
    self.id = id
    self.configuration = configuration
  }

  /// Whether it can be given an operation to execute at once.
  var isIdle: Bool { isOpen && queue.isEmpty }

  /// Whether operations may wait here behind the one that executes.
  var canPrefetch: Bool { isOpen && prefetches && !isTornDown && !hasRecalled && !isAlone }

  /// Whether it was given something less urgent than what has this key, which would wait behind that.
  func holdsBack(_ key: ReadyKey) -> Bool { key.level < lastLevel }

  /// Whether one more operation of this expected length may wait here, where a worker may hold so
  /// many long ones.
  func hasRoom(for expected: Int64, few: Int = 0) -> Bool {
    guard canPrefetch, let first = queue.first, queue.count < allowance else { return false }
    let (work, count) = (queue.prefetchedWork, queue.count - 1)
    return PrefetchPolicy.allows(expected, beyond: work, count: count)
      || PrefetchPolicy.allows(expected, asOneOf: few, behind: first.expected, count: count)
  }
}

/// How fast a worker answers: what the lengths of executions are estimated from.
///
/// Answers come in bunches when operations are short, so time is measured from bunch to bunch.
struct AnswerRate {
  /// When the worker last went from idle to busy, or its last bunch was counted.
  var since = Instant.zero
  var answers = 0
  /// Of the latest answer.
  var kindQueue: KindQueueHandle?
  /// How long the latest was expected to take, in nanoseconds.
  var expected: Int64 = 0
  /// Whether what waited behind was asked back meanwhile, because it waited too long.
  var isSlow = false
}
