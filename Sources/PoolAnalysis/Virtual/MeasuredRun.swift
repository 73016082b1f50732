import PoolModel

/// What was measured in a run, for a plan of another one.
package struct MeasuredRun: Sendable {
  /// The attempts of the operations that were executed, by their identifiers (UTF-8).
  package let attempts: [[UInt8]: [VirtualPlan.Attempt]]
  /// An attempt like the mean of all operations; nil if none was executed.
  package let mean: VirtualPlan.Attempt?
  private let times: VirtualPlan

  /// Takes the measurements of a run; linear, but for sorting.
  package init(_ history: RunHistory) {
    let (plan, places) = VirtualPlan.of(history)
    let nodes = zip(places, plan.nodes)
    attempts = Dictionary(
      nodes.map { (history.operations[$0].id, $1.attempts) },
      uniquingKeysWith: { first, _ in first }
    )
    mean = Self.mean(of: plan.nodes)
    times = plan
  }

  private static func mean(of nodes: [VirtualPlan.Node]) -> VirtualPlan.Attempt? {
    guard !nodes.isEmpty else { return nil }
    let last = nodes.compactMap(\.attempts.last)
    func mean(_ value: (VirtualPlan.Attempt) -> Int64) -> Int64 {
      Int64(saturating: last.reduce(0.0) { $0 + Double(value($1)) } / Double(last.count))
    }
    return VirtualPlan.Attempt(duration: mean(\.duration), processorTime: mean(\.processorTime))
  }

  /// Gives a plan the measured times of workers, and the processors.
  package func giveTimes(to plan: inout VirtualPlan) {
    plan.greetingTime = times.greetingTime
    plan.handoverTime = times.handoverTime
    plan.cores = times.cores
  }
}
