import PoolModel

/// How much a worker may hold behind the operation that it executes, by the delay of its link.
///
/// For a worker of this machine the delay is 0. Behind a link it is the time from a question to its
/// answer: what is executed meanwhile must be there before, and a quarter more, since delays vary.
struct PrefetchWindow {
  /// Nanoseconds from a question to its answer: the third quartile of the latest.
  private(set) var delay: Int64 = 0
  /// Expected work beyond ``PrefetchPolicy/workLimit``, in nanoseconds: one and a quarter delays.
  private(set) var reserve: Int64 = 0
  /// Maximum number of operations, however short they are.
  private(set) var count = PrefetchPolicy.countLimit
  /// Whether the worker may be on another machine.
  var isFar = false
  /// Whether the bytes that wait for its link are already too many.
  var isCongested = false
  private var samples: [Int64] = []

  /// Number of answers whose third quartile counts: a shorter delay is believed after seven of
  /// them, a longer one after two, and of these a single late packet is none.
  ///
  /// Not the least of them: srun holds back small writes for 40 ms while an earlier one is on its
  /// way, so that an idle link answers at once and a busy one mostly does not.
  static let sampleCount = 8
  /// Maximum number of operations behind any link.
  static let farthestCount = 1 << 16

  /// A question was answered after this time, or operations so much later than they had ended.
  mutating func add(_ sample: Int64) {
    if samples.count == Self.sampleCount { samples.removeFirst() }
    samples.append(min(max(sample, 0), .seconds(60)))
    delay = samples.sorted()[samples.count * 3 / 4]
    reserve = delay + delay / 4
    let factor = Double(reserve) / Double(PrefetchPolicy.workLimit) + 1
    count = Int(min(Double(PrefetchPolicy.countLimit) * factor, Double(Self.farthestCount)))
  }

  /// Expected work that the worker may hold, in nanoseconds.
  var work: Int64 { PrefetchPolicy.workLimit + reserve }

  /// Whether one more operation of the expected length may be prefetched behind the others.
  ///
  /// A single one may be up to ten delays long: without it, the worker would rest for more than a
  /// tenth of its time.
  func allows(_ expected: Int64, beyond prefetchedWork: Int64, count: Int) -> Bool {
    count < self.count && prefetchedWork + expected <= work || count == 0 && expected < 10 * delay
  }

  /// Whether a worker with this much work behind its first operation is given more: if half of what
  /// a near one may hold is missing, or only one operation is left; where answers of a few may
  /// wait, if they are work for less than one and a half times that time.
  ///
  /// Then several more are sent at once, while the rest keeps the worker busy. If each answer
  /// brought one operation, coordinator and worker would wake each other for every operation.
  func runsLow(_ prefetchedWork: Int64, count: Int, gathers: Bool) -> Bool {
    let enough = gathers ? PrefetchPolicy.gathering * 3 / 2 : PrefetchPolicy.workLimit / 2
    return count <= 1 || prefetchedWork <= enough + reserve && count <= self.count / 2
  }

  /// Whether operations are taken from a worker that executes, because others are idle: those that
  /// it would still hold when it hears of it, and as much again.
  func exceeds(_ prefetchedWork: Int64) -> Bool {
    prefetchedWork >= max(2 * delay, PrefetchPolicy.longWork)
  }
}
