import Foundation
import PoolModel

/// Decides whether one more operation may start: `--delay`, `--load`, `--memfree` and `--halt`.
///
/// Pure: the caller passes the time, the measurements, and the starts and ends of operations.
struct StartPolicy {
  /// What the user wants.
  struct Limits: Hashable {
    /// Nanoseconds from one start to the next at least.
    var delay: Int64 = 0
    /// Nothing starts at this load average, or a higher one.
    var load: Double?
    /// Nothing starts while fewer bytes are available.
    var memory: Int64?
    /// Whether an operation counts as executing until its end was judged, because that may halt the
    /// run.
    var judgesEnds = false
  }

  /// The latest measurements; nil if the system does not provide them.
  struct Measures: Hashable {
    var load: Double?
    var memory: Int64?
    /// How many operations may execute at once.
    var width = Int.max
  }

  /// Why nothing starts.
  enum Hold: Hashable {
    /// The last start was too recent.
    case delay
    /// The load average, with the expected increase by operations that have just started.
    case load(Double)
    case memory(Int64)
    /// The width is full, counting operations that have ended and were not judged yet.
    case unjudged
  }

  /// Whether an operation may start now.
  enum Decision: Hashable {
    case start
    /// Not before this time, when it must be asked again.
    case hold(Hold, until: Instant)
  }

  /// Nanoseconds until something is measured again: a second.
  static let interval = Int64.seconds(1)
  /// Nanoseconds until the system counts a new process in its average: 5 s on Linux.
  private static let loadLag = Int64.seconds(5)
  /// Nanoseconds in which the average comes nearer to the load by a factor of e.
  private static let loadTime = Int64.seconds(60)

  let limits: Limits
  private var lastStart: Instant?
  /// When each operation that executes has started.
  private var starts: [Int: Instant] = [:]

  init(_ limits: Limits) {
    self.limits = limits
  }

  /// An operation was given to a worker, or has begun there: the later time counts.
  mutating func noteStart(of operation: Int, at now: Instant) {
    lastStart = max(lastStart ?? now, now)
    if limits.load != nil || limits.judgesEnds { starts[operation] = now }
  }

  /// An attempt of an operation has ended, and the consequences are done.
  mutating func noteEnd(of operation: Int) {
    starts[operation] = nil
  }

  /// Forgets the starts of operations that have come back from workers that died.
  mutating func noteReturns(_ hasComeBack: (Int) -> Bool) {
    for operation in starts.keys where hasComeBack(operation) { starts[operation] = nil }
  }

  /// Whether an operation may start now.
  func decision(at now: Instant, _ measures: Measures) -> Decision {
    if let lastStart, limits.delay > 0 {
      let next = lastStart.advanced(by: limits.delay)
      if now < next { return .hold(.delay, until: next) }
    }
    let again = now.advanced(by: Self.interval)
    if let limit = limits.load, let load = measures.load {
      let expected = load + missingLoad(at: now)
      if expected >= limit { return .hold(.load(expected), until: again) }
    }
    if let limit = limits.memory, let memory = measures.memory, memory < limit {
      return .hold(.memory(memory), until: again)
    }
    if limits.judgesEnds, starts.count >= measures.width { return .hold(.unjudged, until: again) }
    return .start
  }

  /// What the executing operations will add to the load average, which follows them slowly: else
  /// all would start before the first of them counts.
  private func missingLoad(at now: Instant) -> Double {
    starts.values.reduce(0) { sum, start in
      let age = max(now.nanoseconds - start.nanoseconds - Self.loadLag, 0)
      return sum + exp(-Double(age) / Double(Self.loadTime))
    }
  }
}
