/// Attempts that execute at once on a machine's processors, each of which works for one at a time.
///
/// An attempt that alternates between waiting and computing takes as long as it did, until the
/// attempts together want more processors than there are. Then its computing takes longer by the
/// same factor for all: σ, which solves Σ pᵢ / (1 − qᵢ + qᵢ σ) = cores. Here pᵢ is the share of a
/// processor that an attempt wants, and qᵢ the share of its time in which it computes.
struct SharedProcessors<Name> {
  private struct Execution {
    let name: Name
    /// Nanoseconds that it would still take alone.
    var rest: Double
    let demand: Double
    /// The share of its time in which it computes.
    let computing: Double

    func slowness(_ factor: Double) -> Double { 1 - computing + computing * factor }
  }

  private let cores: Double
  private var executions: [Execution] = []
  private var demand = 0.0
  /// By how much computing takes longer.
  private var factor = 1.0

  init(cores: Int) { self.cores = Double(max(cores, 1)) }

  /// An attempt begins.
  mutating func begin(_ name: Name, duration: Int64, processorTime: Int64) {
    let share = duration > 0 ? Double(processorTime) / Double(duration) : 0
    let demand = min(max(share, 0), cores)
    executions.append(
      Execution(
        name: name,
        rest: Double(duration),
        demand: demand,
        computing: min(demand, 1)
      )
    )
    self.demand += demand
    findFactor()
  }

  /// Nanoseconds until the first one ends; nil if none executes.
  var next: Double? {
    executions.lazy.map { $0.rest * $0.slowness(factor) }.min()
  }

  /// That many nanoseconds pass; returns what has ended.
  mutating func pass(_ time: Double) -> [Name] {
    var ended: [Name] = []
    var place = 0
    while place < executions.count {
      executions[place].rest -= time / executions[place].slowness(factor)
      // A nanosecond more or less is an error of rounding.
      guard executions[place].rest < 1 else {
        place += 1
        continue
      }
      demand -= executions[place].demand
      ended.append(executions[place].name)
      executions.remove(at: place)
    }
    if !ended.isEmpty { findFactor() }
    return ended
  }

  private mutating func findFactor() {
    guard demand > cores else {
      factor = 1
      return
    }
    // The demand falls as the factor rises, and it is below this bound where all only compute.
    var (low, high) = (1.0, demand / cores * 2)
    while wanted(high) > cores { high *= 2 }
    for _ in 0..<20 {
      let middle = (low + high) / 2
      if wanted(middle) > cores { low = middle } else { high = middle }
    }
    factor = high
  }

  private func wanted(_ factor: Double) -> Double {
    executions.reduce(0) { $0 + $1.demand / $1.slowness(factor) }
  }
}
