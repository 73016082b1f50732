import PoolModel

/// How much a worker may hold beyond what it executes: at most about 2 ms of expected work.
///
/// Held operations hide the round trip to the coordinator, which is all the time there is when an
/// operation takes microseconds. They cost nothing there and much where operations are long: so an
/// operation of unknown length is never prefetched, and what is prefetched behind one that turns out to be
/// long is asked back after ``patience``.
struct PrefetchPolicy {
  /// Expected work that a worker may hold, in nanoseconds.
  static let workLimit = Int64.milliseconds(2)
  /// Operations that a worker may hold, however short they are.
  static let countLimit = 1_024
  /// Executions of a kind before its length counts as known.
  static let samplesNeeded = 8
  /// Nothing is prefetched behind an operation that has been executing for this long.
  static let patience = Int64.milliseconds(10)

  /// How long the executions of one kind take.
  struct Estimate {
    private(set) var nanoseconds: Int64 = 0
    private(set) var samples = 0

    /// Takes note of executions that took this long on average.
    ///
    /// A quarter of the estimate is renewed each time, and one bunch counts for no more than four
    /// times the estimate: a machine that takes the processor away for some milliseconds would
    /// else be taken for an operation that is a thousand times longer.
    mutating func add(average: Int64, count: Int) {
      let believed = samples == 0 ? average : min(average, nanoseconds * 4)
      nanoseconds = samples == 0 ? average : max((nanoseconds * 3 + believed) / 4, 1)
      samples += count
    }

    /// The expected length, or nil while it is unknown.
    var known: Int64? { samples >= PrefetchPolicy.samplesNeeded ? max(nanoseconds, 1) : nil }
  }

  /// Whether one more operation of the expected length may be prefetched behind these.
  static func allows(_ expected: Int64, beyond prefetchedWork: Int64, count: Int) -> Bool {
    count < countLimit && prefetchedWork + expected <= workLimit
  }
}
