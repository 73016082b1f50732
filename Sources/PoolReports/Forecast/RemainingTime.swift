package import PoolCore
import PoolModel
import PoolText

/// An estimate of the remaining time of a run.
///
/// It is the longer of two times: the longest chain of dependencies, and all work divided by the
/// slots. Times below a second are not shown, because they would be outdated when read.
package struct RemainingTime: Hashable, Sendable {
  /// The value for an unknown duration.
  package static let unknown: Int64 = -1

  package var nanoseconds: Int64
  /// Whether the real time may be longer, because some durations are unknown.
  package var isAtLeast: Bool

  package init(nanoseconds: Int64, isAtLeast: Bool = false) {
    self.nanoseconds = nanoseconds
    self.isAtLeast = isAtLeast
  }

  /// Makes the estimate; nil without any known duration.
  ///
  /// Linear in operations and dependencies.
  ///
  /// - Parameters:
  ///   - rests: How many nanoseconds each operation has still to execute: 0 for one that has ended,
  ///     or ``unknown``.
  ///   - delays: The nanoseconds that operations wait before they may execute.
  ///   - graph: What each waits for; nil where nothing waits.
  ///   - limits: How many execute at once.
  package init?(
    _ rests: [Int64],
    delays: [Int: Int64] = [:],
    graph: DependencyRows? = nil,
    limits: ExecutionLimits
  ) {
    let isAtLeast = rests.contains(Self.unknown)
    var weights = isAtLeast ? rests.map { max($0, 0) } : rests
    let work = limits.time(for: weights)
    for (operation, delay) in delays {
      weights[operation] = weights[operation].saturatingSum(delay)
    }
    if let graph { weights = RemainingWork.lengths(graph, weights: weights) }
    let longest = max(Double(weights.max() ?? 0), work)
    guard longest >= 1e9 else { return nil }
    self.init(nanoseconds: Int64(saturating: longest), isAtLeast: isAtLeast)
  }
}

extension RemainingTime: CustomStringConvertible {
  /// `1:30 left`, or `1:30+ left` if it may be longer.
  package var description: String {
    DurationFormat.clock(nanoseconds) + (isAtLeast ? "+" : "") + " left"
  }
}

/// The limits of concurrent execution.
package struct ExecutionLimits {
  /// How many slots there are.
  package var width: Int
  /// The units of each resource that operations claim.
  package var units: [Int]
  private let slots: (Int) -> Int
  private let claims: (Int) -> [Int]

  /// The slots (each operation takes one by default) and the resources.
  package init(
    width: Int,
    slots: @escaping (Int) -> Int = { _ in 1 },
    units: [Int] = [],
    claims: @escaping (Int) -> [Int] = { _ in [] }
  ) {
    self.width = width
    self.slots = slots
    self.units = units
    self.claims = claims
  }

  /// The minimum time for operations with these durations, if none waits for another.
  package func time(for weights: [Int64]) -> Double {
    var work = 0.0
    var claimed = [Double](repeating: 0, count: units.count)
    for (operation, weight) in weights.enumerated() where weight > 0 {
      work += Double(weight) * Double(slots(operation))
      guard !units.isEmpty else { continue }
      for resource in claims(operation) { claimed[resource] += Double(weight) }
    }
    let times = zip(claimed, units).map { $0 / Double(max($1, 1)) }
    return max(work / Double(max(width, 1)), times.max() ?? 0)
  }
}
