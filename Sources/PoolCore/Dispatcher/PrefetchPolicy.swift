import PoolModel

/// How much a worker may hold beyond what it executes: at most about 2 ms of expected work.
///
/// Held operations hide the round trip to the coordinator, which is all the time there is when an
/// operation takes microseconds. They cost nothing there and much where operations are long: so an
/// operation of unknown length is never prefetched, and what is prefetched behind one that turns out
/// to be long is asked back: after ``patience``, or as soon as others have nothing to do.
struct PrefetchPolicy {
  /// Expected work that a worker may hold, in nanoseconds.
  static let workLimit = Int64.milliseconds(2)
  /// Operations that a worker may hold, however short they are.
  static let countLimit = 1_024
  /// Executions of a kind before its length counts as known.
  static let samplesNeeded = 8
  /// Nothing is prefetched behind an operation that has been executing for this much longer than was
  /// expected.
  static let patience = Int64.milliseconds(5)
  /// A line is asked back for what is more urgent if that spares it this much waiting, or more.
  static let urgentWork: Int64 = 250_000
  /// How long the workers of a configuration are then left alone: what is asked back costs, and
  /// where everything is urgent nothing is.
  static let urgentInterval = Int64.milliseconds(10)
  /// Workers with nothing to do relieve one whose execution has taken this long, or is expected to.
  static let reliefWork = Int64.milliseconds(1)
  /// How long they then wait before they look again.
  static let reliefInterval: Int64 = 200_000

  /// How long the executions of one kind take.
  struct Estimate {
    private(set) var nanoseconds: Int64 = 0
    private(set) var samples = 0

    /// Takes note of executions that took this long on average.
    ///
    /// A quarter of the estimate is renewed each time, and one bunch counts for no more than four
    /// times the estimate: a machine that takes the processor away for some milliseconds would
    /// else be taken for an operation that is a thousand times longer. What is certain counts as it
    /// is.
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

  /// Nothing is prefetched behind an operation of the expected length that has been executing for
  /// so long.
  static func patience(expecting expected: Int64) -> Int64 { patience + expected }

  /// Whether one more operation of the expected length may be prefetched behind these.
  static func allows(_ expected: Int64, beyond prefetchedWork: Int64, count: Int) -> Bool {
    count < countLimit && prefetchedWork + expected <= workLimit
  }
}
