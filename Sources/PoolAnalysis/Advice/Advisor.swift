import PoolModel

/// Finds out what would have made a run shorter, by executing changed ones in virtual time.
package struct Advisor: Sendable {
  /// A change, and the run that it leads to.
  package struct Candidate: Sendable {
    fileprivate let change: Advice.Change
    fileprivate let setting: VirtualRun.Setting
  }

  /// Tries each candidate by the closure, in any order or at once; returns what each has led to.
  package typealias Trials = ([Candidate], @Sendable (Candidate) -> Advice?) -> [Advice?]

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
  /// Nanoseconds of the run as it was, in virtual time.
  private let virtualElapsed: Int64

  /// The changes that save time, the largest saving first.
  static func advice(
    for history: RunHistory,
    _ account: SlotAccount,
    _ chain: [DecidingStep],
    _ trials: Trials
  ) -> [Advice] {
    // What was cut off would have taken who knows how long.
    guard history.isComplete, history.operations.count <= operationLimit,
      let advisor = Advisor(history, slots: account.width)
    else { return [] }
    let candidates = advisor.candidates(account, chain)
    let advice = trials(candidates) { advisor.advice($0.change, $0.setting) }
    return advice.compactMap(\.self).sorted { $1.saved < $0.saved }
  }

  private init?(_ history: RunHistory, slots: Int) {
    (self.history, self.slots) = (history, slots)
    (plan, places) = VirtualPlan.of(history)
    guard !places.isEmpty,
      let elapsed = VirtualRun.length(of: plan, VirtualRun.Setting(slots: slots)), elapsed > 0
    else { return nil }
    virtualElapsed = elapsed
  }

  private func advice(_ change: Advice.Change, _ setting: VirtualRun.Setting) -> Advice? {
    guard let changed = VirtualRun.length(of: plan, setting) else { return nil }
    let elapsed = history.end.nanoseconds
    // What virtual time lacks, such as the end of the workers, is there with the change, too.
    let saved = virtualElapsed - changed
    let least = max(Int64(Double(elapsed) * Self.leastShare), Self.leastSaving)
    guard saved >= least else { return nil }
    return Advice(change: change, elapsed: elapsed - saved, saved: saved)
  }

  private func candidates(_ account: SlotAccount, _ chain: [DecidingStep]) -> [Candidate] {
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
      let name = String(decoding: resource.name, as: UTF8.self)
      return Candidate(change: .limit(name, resource.units + 1), setting: setting)
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
    for node in plan.nodes {
      guard let group = node.group else { continue }
      times[group] += node.attempts.reduce(0) { $0 + $1.duration }
    }
    let longest = times.indices.sorted { times[$1] < times[$0] }.prefix(Self.candidateLimit)
    return longest.filter { times[$0] > 0 }.map { group in
      var setting = VirtualRun.Setting(slots: slots)
      let nodes = plan.nodes.map { $0.group == group }
      setting.scale = { nodes[$0] ? 0.5 : 1 }
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
