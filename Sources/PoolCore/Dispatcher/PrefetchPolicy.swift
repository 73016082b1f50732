import PoolModel

/// How much a worker may hold beyond the operation that it executes: at most about 2 ms of expected
/// work; if more are ready than there are workers, also up to 4 ms, or four operations, of 0.5 to
/// 20 ms each.
///
/// Behind a link it is more, by the link's delay (see ``PrefetchWindow``).
///
/// Prefetched operations hide the round trip to the coordinator, which takes most of the time when
/// operations take microseconds. They also save messages: each message wakes a worker, and that is
/// most of the coordinator's cost for an operation of milliseconds. But behind a long operation
/// they lose time. So an operation of unknown length is never prefetched, and operations behind one
/// that turns out to be long are recalled: after ``patience``, or as soon as other workers are
/// idle.
package struct PrefetchPolicy {
  /// Expected work that a worker may hold, in nanoseconds.
  static let workLimit = Int64.milliseconds(2)
  /// The lengths of operations of which a worker may hold a few, behind one that is no longer than
  /// these.
  static let fewLengths: ClosedRange<Int64> = 500_000...20_000_000
  /// The maximum number of these, unless they are ``fewWork``.
  static let fewLimit = 4
  /// Expected work of a few operations that a worker may hold, however many they are.
  static let fewWork = Int64.milliseconds(4)
  /// Maximum number of operations that a worker of this machine may hold, however short they are.
  static let countLimit = 1_024
  /// Number of executions of a kind after which its length counts as known.
  static let samplesNeeded = 8
  /// Nothing is prefetched behind an operation that has exceeded its expected length by this time.
  static let patience = Int64.milliseconds(5)
  /// Operations are recalled in favour of a more urgent one if that saves it at least this much
  /// waiting.
  static let urgentWork: Int64 = 250_000
  /// The time between two such recalls from the workers of a configuration: a recall has a cost,
  /// and frequent ones would leave nothing prefetched.
  static let urgentRecallInterval = Int64.milliseconds(10)
  /// Idle workers have operations recalled behind an execution that has taken this long, or is
  /// expected to.
  static let longWork = Int64.milliseconds(1)
  /// The time between two such recalls.
  static let idleRecallInterval: Int64 = 200_000

  /// The estimated length of the executions of one kind.
  struct Estimate {
    private(set) var nanoseconds: Int64 = 0
    private(set) var samples = 0

    /// Corrects the estimate by executions with this average length.
    ///
    /// One batch replaces a quarter of the estimate, and counts for no more than four times the
    /// estimate. Otherwise a pause of some milliseconds, in which the worker did not get the
    /// processor, would look like operations that are a thousand times longer. A certain length
    /// that is greater replaces the estimate.
    mutating func add(average: Int64, count: Int, isCertain: Bool = false) {
      if samples == 0 || isCertain && average > nanoseconds {
        nanoseconds = average
      } else {
        nanoseconds = max((nanoseconds * 3 + min(average, nanoseconds * 4)) / 4, 1)
      }
      samples += count
    }

    /// The expected length, or nil while it is unknown.
    var known: Int64? { samples >= PrefetchPolicy.samplesNeeded ? max(nanoseconds, 1) : nil }
  }

  /// How long an operation of this expected length may execute before nothing more is prefetched
  /// behind it.
  static func patience(expecting expected: Int64) -> Int64 { patience + expected }

  /// How many operations of 0.5 to 20 ms a worker may hold, even if they take more than 2 ms: none
  /// unless more are ready than there are workers, so that no worker is idle while another holds
  /// operations; the more are ready for each worker, the more it may hold.
  static func few(ready: Int, workers: Int) -> Int {
    guard workers > 0, ready > workers else { return 0 }
    return min(max(ready / (2 * workers), 1), Int(fewWork / fewLengths.lowerBound))
  }

  /// Maximum time that answers wait to be handled together: 2 ms.
  package static let gathering = fewWork / 2

  /// Whether answers may wait, for operations of this length, of which workers hold a few: all but
  /// one of eight busy workers have their next operation, and two or more end within that time.
  ///
  /// One sleep and wake-up of the loop costs as much as handling an answer. Workers do not run out
  /// of work meanwhile, because they are given more before that (see
  /// ``PrefetchWindow/runsLow(_:count:gathers:)``).
  static func gathers(busy: Int, holding: Int, _ length: Int64) -> Bool {
    length > 0 && (busy - holding) * 8 <= busy && Int64(busy) * gathering >= 2 * length
  }

  /// Whether so few operations of this length are work for twice the time that answers wait.
  static func fills(few: Int, _ length: Int64) -> Bool { Int64(few) * length >= 2 * gathering }

  /// Whether one more operation of this expected length may be prefetched as one of a few, behind a
  /// first one of known length.
  static func allows(
    _ expected: Int64,
    asOneOf few: Int,
    behind first: Int64,
    beyond prefetchedWork: Int64,
    count: Int
  ) -> Bool {
    count < few && (count < fewLimit || prefetchedWork + expected <= fewWork)
      && fewLengths.contains(expected) && first > 0 && first <= fewLengths.upperBound
  }
}
