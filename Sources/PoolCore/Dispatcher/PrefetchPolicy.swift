import PoolModel

/// How much a worker may hold beyond what it executes: at most about 2 ms of expected work, or a
/// few operations of up to 20 ms where far more are ready than there are workers.
///
/// Held operations hide the round trip to the coordinator, which is all the time there is when an
/// operation takes microseconds; and each message wakes a worker, which is most of what an
/// operation of milliseconds costs the coordinator. They cost much where operations are long: so an
/// operation of unknown length is never prefetched, and what is prefetched behind one that turns
/// out to be long is asked back: after ``patience``, or as soon as others have nothing to do.
package struct PrefetchPolicy {
  /// Expected work that a worker may hold, in nanoseconds.
  static let workLimit = Int64.milliseconds(2)
  /// The longest of which a worker may hold a few, behind something that is no longer.
  static let fewLength = Int64.milliseconds(20)
  /// How many these are at most.
  static let fewLimit = 4
  /// Operations that a worker may hold, however short they are.
  static let countLimit = 1_024
  /// Executions of a kind before its length counts as known.
  static let samplesNeeded = 8
  /// Nothing is prefetched behind an operation that has been executing for this much longer than
  /// was expected.
  static let patience = Int64.milliseconds(5)
  /// A line is asked back for what is more urgent if that spares it this much waiting, or more.
  static let urgentWork: Int64 = 250_000
  /// How long the workers of a configuration are then left alone: what is asked back costs, and
  /// where everything is urgent nothing is.
  static let urgentInterval = Int64.milliseconds(10)
  /// Workers with nothing to do recallForIdle one whose execution has taken this long, or is
  /// expected to.
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

  /// How many operations of more than the usual work a worker may hold: none unless more are ready
  /// than there are workers, so that no worker is idle while another has a line; more, the more are
  /// ready for each.
  static func few(ready: Int, workers: Int) -> Int {
    guard ready > workers else { return 0 }
    return min(max(ready / (2 * workers), 1), fewLimit)
  }

  /// How long answers may wait to be heard together: 1 ms.
  package static let gathering = Int64.milliseconds(1)

  /// Whether answers of operations of that length, which workers hold a few of, may wait: all but
  /// one of eight busy workers have their next operation, and two or more end within that time.
  ///
  /// To sleep and be woken costs as much as an answer. What is expected to take less than five
  /// times as long does not wait: if it takes far less still, workers would run dry meanwhile.
  static func gathers(busy: Int, holding: Int, _ length: Int64) -> Bool {
    length >= 5 * gathering && (busy - holding) * 8 <= busy
      && Int64(busy) * gathering >= 2 * length
  }

  /// Whether one more operation of the expected length may be prefetched as one of a few, behind a
  /// first one of a known length.
  static func allows(_ expected: Int64, asOneOf few: Int, behind first: Int64, count: Int) -> Bool {
    count < few && expected <= fewLength && first > 0 && first <= fewLength
  }
}
