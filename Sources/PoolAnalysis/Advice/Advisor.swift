import PoolEvents
import PoolModel

/// Finds out what would have made a run shorter, by executing changed ones in virtual time.
struct Advisor: Sendable {
  /// A change, and the run that it leads to.
  private struct Candidate: Sendable {
    let change: Advice.Change
    let setting: VirtualRun.Setting
  }

  /// Changes of more operations are not tried: each try takes about a second for a million.
  private static let operationLimit = 200_000
  /// How many limits, groups and operations are tried.
  private static let candidateLimit = 3
  /// Smaller savings are not told: a hundredth of the run, and 50 ms.
  private static let leastShare = 0.01
  private static let leastSaving = Int64.milliseconds(50)

  private let history: RunHistory
  private let plan: VirtualPlan
  private let places: [Int]
  private let slots: Int
  /// The run as it was, in virtual time: nanoseconds, and how many attempts of each node have
  /// begun, which no change changes.
  private let known: (length: Int64, begun: [Int])

  /// Executes a run as it was in virtual time; nil if there is no advice for it.
  init?(_ history: RunHistory, slots: Int) {
    // What was cut off would have taken who knows how long; virtual time has no `--delay`.
    guard history.isComplete, history.began?.delay == nil,
      history.operations.count <= Self.operationLimit
    else { return nil }
    (self.history, self.slots) = (history, slots)
    (plan, places) = VirtualPlan.of(history)
    guard !places.isEmpty,
      let known = VirtualRun.outcome(of: plan, VirtualRun.Setting(slots: slots)), known.length > 0
    else { return nil }
    self.known = known
  }

  /// The changes that save time, the largest saving first.
  func advice(_ chain: [DecidingStep], by workforce: some Workforce) -> [Advice] {
    let candidates = candidates(chain).filter { maySave($0.setting) }
    let found = workforce.map(candidates) { advice($0.change, $0.setting) }
    return found.compactMap(\.self).sorted { $1.saved < $0.saved }
  }

  /// Whether a change may save as much as is told; finding that out costs less than to try it.
  private func maySave(_ setting: VirtualRun.Setting) -> Bool {
    known.length - LeastLength.of(plan, begun: known.begun, setting) >= least
  }

  private func advice(_ change: Advice.Change, _ setting: VirtualRun.Setting) -> Advice? {
    guard let changed = VirtualRun.length(of: plan, setting) else { return nil }
    // What virtual time lacks, such as the end of the workers, is there with the change, too.
    let saved = known.length - changed
    guard saved >= least else { return nil }
    return Advice(change: change, elapsed: history.end.nanoseconds - saved, saved: saved)
  }

  /// Nanoseconds of the smallest saving that is told.
  private var least: Int64 {
    max(Int64(Double(history.end.nanoseconds) * Self.leastShare), Self.leastSaving)
  }

  private func candidates(_ chain: [DecidingStep]) -> [Candidate] {
    slotCandidates + limitCandidates + [criticalPath] + groupCandidates + operations(in: chain)
  }

  private var slotCandidates: [Candidate] {
    Set([slots + 1, slots * 2]).sorted().map {
      Candidate(change: .slots($0), setting: VirtualRun.Setting(slots: $0))
    }
  }

  private var limitCandidates: [Candidate] {
    plan.resources.enumerated().prefix(Self.candidateLimit).map { place, resource in
      var setting = VirtualRun.Setting(slots: slots)
      setting.units[place] = resource.units + 1
      return Candidate(change: .limit(resource.name, resource.units + 1), setting: setting)
    }
  }

  private var criticalPath: Candidate {
    Candidate(
      change: .criticalPath,
      setting: VirtualRun.Setting(slots: slots, isByCriticalPath: true)
    )
  }

  /// The groups that took the most time.
  private var groupCandidates: [Candidate] {
    var times = [Int64](repeating: 0, count: plan.groupCount)
    for node in plan.nodes.indices {
      guard let group = plan.nodes[node].group else { continue }
      times[group] += plan.nodes[node].attempts.reduce(0) { $0 + $1.duration }
    }
    let longest = times.indices.sorted { times[$1] < times[$0] }.prefix(Self.candidateLimit)
    return longest.filter { times[$0] > 0 }.map { group in
      var setting = VirtualRun.Setting(slots: slots)
      setting.scale = { [plan] in plan.nodes[$0].group == group ? 0.5 : 1 }
      return Candidate(change: .halvedGroup(history.groups[group].id), setting: setting)
    }
  }

  /// The longest operations of the chain that decided how long the run took.
  private func operations(in chain: [DecidingStep]) -> [Candidate] {
    let longest = chain.sorted {
      $1.finished.nanoseconds - $1.started.nanoseconds
        < $0.finished.nanoseconds - $0.started.nanoseconds
    }
    return longest.prefix(Self.candidateLimit).compactMap { step in
      guard let node = places.firstIndex(of: step.operation) else { return nil }
      var setting = VirtualRun.Setting(slots: slots)
      setting.scale = { $0 == node ? 0.5 : 1 }
      return Candidate(change: .halvedOperation(step.operation), setting: setting)
    }
  }
}
