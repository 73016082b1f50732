package import PoolModel

/// How long a plan takes with so many slots, and what keeps it from being faster.
package struct WidthForecast: Hashable, Sendable {
  /// What would have to be more, or shorter.
  package enum Bound: Hashable, Sendable {
    case slots
    case processors
    /// Units of this resource.
    case limit(ResourceName)
    /// The longest chain of operations.
    case dependencies
  }

  /// A saving that is less than this share is none: 1 %.
  private static let leastShare = 0.01

  package let slots: Int
  /// Nanoseconds.
  package let elapsed: Int64
  package let bound: Bound

  /// Executes a plan in virtual time; nil if it comes to no end.
  package init?(_ plan: VirtualPlan, slots: Int) {
    let setting = VirtualRun.Setting(slots: slots)
    guard let elapsed = VirtualRun.length(of: plan, setting) else { return nil }
    (self.slots, self.elapsed) = (slots, elapsed)
    bound = Self.bound(of: plan, setting, elapsed)
  }

  /// The first thing of which more makes it faster.
  private static func bound(
    of plan: VirtualPlan,
    _ setting: VirtualRun.Setting,
    _ elapsed: Int64
  ) -> Bound {
    func helps(_ plan: VirtualPlan, _ setting: VirtualRun.Setting) -> Bool {
      guard let changed = VirtualRun.length(of: plan, setting) else { return false }
      return Double(changed) < Double(elapsed) * (1 - leastShare)
    }
    var wider = setting
    wider.slots = setting.slots * 2
    if helps(plan, wider) { return .slots }
    var larger = plan
    larger.cores = .max
    if helps(larger, setting) { return .processors }
    for (place, resource) in plan.resources.enumerated() {
      var other = setting
      other.units[place] = resource.units + 1
      if helps(plan, other) { return .limit(resource.name) }
    }
    return .dependencies
  }
}
