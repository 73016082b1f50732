/// Reports the first of several workers that end in the same way, and counts the others.
package struct RepeatedDeaths {
  /// Maximum number of ways that are counted; workers with others are reported one by one.
  package static let limit = 64

  private var counts: [(fact: String, more: Int)] = []

  package init() {}

  /// Counts a worker; returns whether to report it.
  package mutating func add(_ fact: String) -> Bool {
    if let place = counts.firstIndex(where: { $0.fact == fact }) {
      counts[place].more += 1
      return false
    }
    if counts.count < Self.limit { counts.append((fact, 0)) }
    return true
  }

  /// The lines for the end of the run about the workers that were only counted.
  package var lines: [String] {
    counts.filter { $0.more > 0 }.map { fact, more in
      "opool: \(more) more worker\(more == 1 ? "" : "s") \(fact)"
    }
  }
}
