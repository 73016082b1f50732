package import PoolEvents
package import PoolModel

/// The operations of a run that is executed in virtual time: how long each attempt takes, and what
/// operations need.
package struct VirtualPlan: Sendable {
  /// An attempt of an operation.
  package struct Attempt: Hashable, Sendable {
    /// Nanoseconds, where no processor is wanting.
    package var duration: Int64
    /// Nanoseconds of processor time.
    package var processorTime: Int64
    package var succeeds: Bool
    /// Nanoseconds from its end to the next attempt.
    package var delay: Int64

    package init(duration: Int64, processorTime: Int64 = 0, succeeds: Bool = true, delay: Int64 = 0)
    {
      (self.duration, self.processorTime) = (duration, processorTime)
      (self.succeeds, self.delay) = (succeeds, delay)
    }
  }

  /// A resource, and how many operations may use it at once.
  package struct Resource: Hashable, Sendable {
    /// UTF-8.
    package var name: [UInt8]
    package var units: Int

    package init(name: [UInt8], units: Int) { (self.name, self.units) = (name, units) }
  }

  /// An operation.
  package struct Node: Sendable {
    /// At least one.
    package var attempts: [Attempt]
    /// Other nodes, and groups by their place behind all nodes.
    package var dependencies: [SubmittedRecord.Dependency] = []
    /// The place of its group among the groups.
    package var group: Int?
    /// The places of its resources.
    package var claims: [Int] = []
    package var slots = 1
    package var priority = PoolQueuePriority.normal
    package var isBarrier = false
    /// Nanoseconds from the beginning of the run to its submission.
    package var submission: Int64 = 0

    package init(attempts: [Attempt]) { self.attempts = attempts }
  }

  package var nodes: [Node] = []
  package var groupCount = 0
  package var resources: [Resource] = []
  /// Nanoseconds from the start of a worker to its greeting.
  package var greetingTime: Int64 = 0
  /// Nanoseconds from one attempt of a worker to the next that is ready.
  package var handoverTime: Int64 = 0
  /// Number of processors.
  package var cores = Int.max

  package init() {}
}

extension VirtualPlan {
  /// The operations of a run that were executed, with what was measured; places are those of the
  /// list that is returned with it, whose elements are places in the history.
  static func of(_ history: RunHistory) -> (plan: VirtualPlan, places: [Int]) {
    var plan = VirtualPlan()
    let places = history.operations.indices.filter { place in
      history.operations[place].attempts.contains { $0.finished != nil }
    }
    var nodeOf = [Int](repeating: -1, count: history.operations.count)
    for (node, place) in places.enumerated() { nodeOf[place] = node }
    plan.groupCount = history.groups.count
    plan.cores = history.began?.cores ?? .max
    var resources = ResourceList()
    plan.nodes = places.map { place in
      node(of: history.operations[place], history, nodeOf, places.count, &resources)
    }
    plan.resources = resources.all
    plan.greetingTime = WorkerTimes.greeting(history)
    plan.handoverTime = WorkerTimes.handover(history)
    return (plan, places)
  }

  /// Submissions that are no later than this are those of a workload that is read as a whole.
  private static let longestReading = Int64.milliseconds(200)

  private static func node(
    of operation: HistoricOperation,
    _ history: RunHistory,
    _ nodeOf: [Int],
    _ count: Int,
    _ resources: inout ResourceList
  ) -> Node {
    let submitted = operation.submitted
    var node = Node(attempts: attempts(of: operation))
    node.dependencies = submitted.dependencies.compactMap { dependency in
      if let place = history.place(of: dependency.number) {
        guard nodeOf[place] >= 0 else { return nil }
        return SubmittedRecord.Dependency(nodeOf[place], dependency.requirement)
      }
      return history.groupPlace(of: dependency.number).map {
        SubmittedRecord.Dependency(count + $0, dependency.requirement)
      }
    }
    node.group = submitted.group.flatMap { history.groupPlace(of: $0) }
    node.claims = submitted.claims.map { resources.place(of: $0) }
    (node.slots, node.priority) = (submitted.slots, submitted.priority)
    node.isBarrier = submitted.isBarrier
    let submission = operation.submittedAt.nanoseconds
    node.submission = submission > longestReading ? submission : 0
    return node
  }

  private static func attempts(of operation: HistoricOperation) -> [Attempt] {
    let ended = operation.attempts.filter { $0.finished != nil }
    return ended.enumerated().map { place, attempt in
      let isLast = place == ended.count - 1
      let gap =
        isLast
        ? 0
        : ended[place + 1].started.nanoseconds
          - (attempt.finished ?? attempt.started).nanoseconds
      return Attempt(
        duration: attempt.duration,
        processorTime: attempt.processorTime ?? 0,
        succeeds: isLast && operation.ending != .failed && attempt.ending == .succeeded,
        delay: max(gap, 0)
      )
    }
  }
}

/// Resources by their names.
private struct ResourceList {
  private(set) var all: [VirtualPlan.Resource] = []
  private var places: [[UInt8]: Int] = [:]

  mutating func place(of claim: SubmittedRecord.Claim) -> Int {
    if let place = places[claim.name] { return place }
    places[claim.name] = all.count
    all.append(VirtualPlan.Resource(name: claim.name, units: claim.units))
    return all.count - 1
  }
}

/// What workers take beside the attempts.
private enum WorkerTimes {
  /// Longer pauses are none of a handover: 20 ms.
  private static let longestHandover = Int64.milliseconds(20)

  /// The median time to the greetings of a run's first workers.
  static func greeting(_ history: RunHistory) -> Int64 {
    let first = history.workers.prefix(history.began?.width ?? 1)
    return Distribution(first.compactMap { $0.greeted?.nanoseconds })?.median ?? 0
  }

  /// The median pause of a worker between two attempts, where the later one was ready.
  static func handover(_ history: RunHistory) -> Int64 {
    var ends = [Instant?](repeating: nil, count: history.workers.count)
    var pauses: [Int64] = []
    let attempts = history.operations.flatMap(\.attempts).sorted { $0.started < $1.started }
    for attempt in attempts {
      guard let worker = history.place(of: attempt.worker) else { continue }
      if let end = ends[worker] {
        let pause = attempt.started.nanoseconds - end.nanoseconds
        if pause >= 0, pause < longestHandover { pauses.append(pause) }
      }
      ends[worker] = attempt.finished
    }
    return Distribution(pauses)?.median ?? 0
  }
}
