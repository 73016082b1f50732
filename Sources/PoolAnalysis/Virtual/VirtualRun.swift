import PoolCore
import PoolEvents
import PoolModel

/// A run of the real core in virtual time: workers that greet, execute and answer as a plan says.
struct VirtualRun: ~Copyable {
  /// What is different from the run that the plan was made of.
  struct Setting: Sendable {
    var slots: Int
    /// Units of the plan's resources; those that are missing have the plan's.
    var units: [Int: Int] = [:]
    /// Whether the operations with the longest chains of dependents come first.
    var isByCriticalPath = false
    /// By how much the attempts of a node are shorter; 1 for no change.
    var scale: (@Sendable (Int) -> Double)?
  }

  /// An attempt that a worker executes.
  private struct Execution {
    let worker: WorkerID
    let reference: DispatchReference
    let node: Int
    let succeeds: Bool
  }

  private let plan: VirtualPlan
  private let setting: Setting
  /// The ranks of all nodes; nil for the order of submission.
  private let ranks: [Int64]?
  private var machine: PoolMachine
  private let queue: QueueID
  private let kind: KindID
  private var now = Instant.zero
  private var processors: SharedProcessors<Execution>
  /// Workers that have been started, and when they greet.
  private var starting: [(worker: WorkerID, at: Instant)] = []
  private var ids: [OperationID] = []
  /// How many attempts of each node have begun.
  private var begun: [Int]
  private var submitted = 0
  private var unsettled = 0
  private var effects: [Effect] = []
  private var teardowns: [PoolTeardownSequence] = []

  /// Nanoseconds that a plan takes; nil if it comes to no end.
  static func length(of plan: VirtualPlan, _ setting: Setting) -> Int64? {
    guard plan.isFinite else { return nil }
    var run = VirtualRun(plan, setting)
    return run.execute()
  }

  /// The same, and how many attempts of each node have begun: an operation may be skipped.
  static func outcome(of plan: VirtualPlan, _ setting: Setting) -> (length: Int64, begun: [Int])? {
    var run = VirtualRun(plan, setting)
    guard let length = run.execute() else { return nil }
    return (length, run.begun)
  }

  private init(_ plan: VirtualPlan, _ setting: Setting) {
    (self.plan, self.setting) = (plan, setting)
    ranks = setting.isByCriticalPath ? Self.ranks(of: plan) : nil
    machine = PoolMachine(tellsEveryStart: false)
    kind = machine.dispatcher.addKind()
    let fleet = machine.addFleet()
    _ = machine.addConfiguration(ConfigurationSpec(count: setting.slots, kinds: [kind]), to: fleet)
    queue = machine.addQueue(to: fleet)
    machine.change(.width(setting.slots, of: queue))
    processors = SharedProcessors(cores: plan.cores)
    begun = Array(repeating: 0, count: plan.nodes.count)
    createOperations()
  }

  private mutating func execute() -> Int64? {
    submitDue()
    step()
    while unsettled > 0 || submitted < plan.nodes.count {
      guard let next = nextMoment else { return nil }
      pass(until: next)
      submitDue()
      step()
    }
    return now.nanoseconds
  }

  // MARK: Submission

  private mutating func createOperations() {
    let resources = plan.resources.enumerated().map { place, resource in
      machine.dispatcher.addResource(capacity: setting.units[place] ?? resource.units)
    }
    var spec = OperationSpec(kind: kind)
    for place in plan.nodes.indices {
      // Neighbours mostly are alike.
      if place == 0 || !plan.nodes[place].isDispatched(as: plan.nodes[place - 1]) {
        spec = self.spec(of: place, resources)
      }
      ids.append(machine.create(spec))
    }
    ids += (0..<plan.groupCount).map { _ in machine.create(.group) }
    for place in plan.nodes.indices {
      for dependency in plan.nodes[place].dependencies {
        machine.change(
          .addDependency(
            of: ids[place],
            on: ids[dependency.number],
            requiring: dependency.requirement
          ),
          at: now
        )
      }
      if let group = plan.nodes[place].group {
        machine.change(.addMember(ids[place], to: ids[plan.nodes.count + group]), at: now)
      }
    }
  }

  private func spec(of place: Int, _ resources: [ResourceID]) -> OperationSpec {
    let attempts = plan.nodes[place].attempts
    var spec = OperationSpec(
      kind: kind,
      priority: plan.nodes[place].priority,
      retries: attempts.count - 1
    )
    spec.slots = plan.nodes[place].slots
    spec.claims = plan.nodes[place].claims.map { resources[$0] }
    spec.isBarrier = plan.nodes[place].isBarrier
    if attempts.count > 1, let delay = attempts.lazy.map(\.delay).max(), delay > 0 {
      spec.retryRule = RetryRule(delay: delay, maximum: delay)
    }
    return spec
  }

  private mutating func submitDue() {
    let first = submitted
    while submitted < plan.nodes.count, plan.nodes[submitted].submission <= now.nanoseconds {
      submitted += 1
    }
    guard first < submitted else { return }
    unsettled += submitted - first
    let ranks = ranks.map { Array($0[first..<submitted]) }
    machine.enqueue(Array(ids[first..<submitted]), by: ranks, in: queue, at: now)
    guard submitted == plan.nodes.count else { return }
    unsettled += plan.groupCount
    machine.enqueue(Array(ids[plan.nodes.count...]), in: queue, at: now)
  }

  private static func ranks(of plan: VirtualPlan) -> [Int64] {
    var rows = DependencyRows()
    var members = [[Int]](repeating: [], count: plan.groupCount)
    for place in plan.nodes.indices {
      for dependency in plan.nodes[place].dependencies { rows.append(dependency.number) }
      rows.endRow()
      if let group = plan.nodes[place].group { members[group].append(place) }
    }
    for group in members {
      for member in group { rows.append(member) }
      rows.endRow()
    }
    let durations = plan.nodes.indices.map { place in
      plan.nodes[place].attempts.reduce(0) { $0 + $1.duration }
    }
    return PoolSchedulingPolicy.criticalPath.ranks(of: rows, durations: durations) ?? []
  }

  // MARK: Time

  private var nextMoment: Instant? {
    var next = machine.nextDeadline ?? .distantFuture
    if let rest = processors.next {
      next = min(next, now.advanced(by: Int64(saturating: rest.rounded(.up))))
    }
    if let first = starting.first { next = min(next, first.at) }
    if submitted < plan.nodes.count {
      next = min(next, Instant(nanoseconds: plan.nodes[submitted].submission))
    }
    return next == .distantFuture ? nil : max(next, now)
  }

  private mutating func pass(until time: Instant) {
    let ended = processors.pass(Double(time.nanoseconds - now.nanoseconds))
    now = time
    for execution in ended { answer(execution) }
    while let first = starting.first, first.at <= now {
      starting.removeFirst()
      _ = machine.workerGreeted(first.worker, kinds: [kind], capabilities: [], at: now)
    }
    if let deadline = machine.nextDeadline, deadline <= now { machine.fireTimers(at: now) }
  }

  private mutating func answer(_ execution: Execution) {
    _ = machine.workerReported(
      .answered(execution.succeeds ? .succeeded : .failed, .error, .none),
      execution.reference,
      by: execution.worker,
      at: now
    )
    machine.workerWasRead(execution.worker, at: now)
  }

  // MARK: Effects

  private mutating func step() {
    repeat {
      machine.dispatch(at: now)
      machine.context.take(&effects, &teardowns)
      for effect in effects { perform(effect) }
    } while !effects.isEmpty
  }

  private mutating func perform(_ effect: Effect) {
    switch effect {
    case .spawn(let worker, _):
      starting.append((worker, now.advanced(by: plan.greetingTime)))
    case .dispatch(let worker, let reference, _): begin(reference, on: worker)
    case .settle: unsettled -= 1
    default: break
    }
  }

  private mutating func begin(_ reference: DispatchReference, on worker: WorkerID) {
    // Nodes were created first, in order, and nothing is released.
    let node = reference.operation.index
    let attempt = plan.nodes[node].attempts[min(begun[node], plan.nodes[node].attempts.count - 1)]
    begun[node] += 1
    _ = machine.workerReported(.executing(group: nil), reference, by: worker, at: now)
    let scale = setting.scale?(node) ?? 1
    processors.begin(
      Execution(worker: worker, reference: reference, node: node, succeeds: attempt.succeeds),
      duration: Int64(saturating: Double(attempt.duration) * scale) + plan.handoverTime,
      processorTime: Int64(saturating: Double(attempt.processorTime) * scale)
    )
  }
}
