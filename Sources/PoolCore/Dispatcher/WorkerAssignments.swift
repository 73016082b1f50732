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

  init(id: WorkerID, configuration: ConfigurationID) {
    self.id = id
    self.configuration = configuration
  }

  /// Whether it could execute an operation at once.
  var isIdle: Bool { isOpen && queue.isEmpty }

  /// Whether operations may wait in its queue behind the first.
  var canPrefetch: Bool { isOpen && prefetches && !isTornDown && !hasRecalled && !isAlone }

  /// Whether an operation with this key would wait behind a less urgent one.
  func holdsBack(_ key: ReadyKey) -> Bool { key.level < lastLevel }

  /// Whether one more operation of this expected length may wait here; `few` is the permitted
  /// number of those that are not short.
  func hasRoom(for expected: Int64, few: Int = 0) -> Bool {
    guard canPrefetch, let first = queue.first, queue.count < allowance else { return false }
    let (work, count) = (queue.prefetchedWork, queue.count - 1)
    return PrefetchPolicy.allows(expected, beyond: work, count: count)
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
}
