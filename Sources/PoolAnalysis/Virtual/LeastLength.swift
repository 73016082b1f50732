import PoolModel

/// The time that a run takes whatever the order of its operations is.
enum LeastLength {
  /// Nanoseconds that no run of a plan is shorter than, in which as many attempts of each node
  /// begin as in any other one: each slot executes one at a time, and processors give no more time
  /// than there is; linear.
  static func of(_ plan: VirtualPlan, begun: [Int], _ setting: VirtualRun.Setting) -> Int64 {
    let cores = Double(max(plan.cores, 1))
    var (slotTime, processorTime) = (0.0, 0.0)
    for place in plan.nodes.indices {
      let scale = setting.scale?(place) ?? 1
      for attempt in plan.nodes[place].attempts.prefix(begun[place]) {
        let whole = Double(attempt.duration) * scale + Double(plan.handoverTime)
        // Virtual time is rounded by a nanosecond at either end.
        let duration = whole - 2
        guard duration > 0 else { continue }
        slotTime += duration
        processorTime += min(Double(attempt.processorTime) * scale / whole, cores) * duration
      }
    }
    let least = max(slotTime / Double(max(setting.slots, 1)), processorTime / cores)
    // Sums of many parts are not exact.
    return Int64(saturating: least * (1 - 1e-6))
  }
}
