import PoolAnalysis
import PoolCore
import PoolModel
import Synchronization

/// An operation of which a program asks where it stands, with all that the engine knew about it at
/// one moment.
struct AskedOperation: StandingSource {
  /// The standing as a value, and as what is said of it.
  typealias Answer = (PoolExplanation.Standing, PoolAnalysis.Standing)

  /// The most operations that an answer names.
  private static let namedLimit = 10

  private let operation: PoolOperation
  private let now: Instant
  private let snapshot: Snapshot
  /// The dependencies or, of a group that has begun, the members that have not ended.
  private let open: [PoolOperation]

  init(_ operation: PoolOperation) {
    self.operation = operation
    let engine = OperationRegistry.process.engine
    let (id, dependencies) = operation.life.withLock { ($0.id, $0.dependencies.operations) }
    guard let id else {
      (now, snapshot, open) = (engine.now, Snapshot(), [])
      return
    }
    // Described before: under the lock, no operation may be released.
    let members = (operation as? PoolGroupOperation)?.operations ?? []
    let (dependencyIDs, memberIDs) = (Self.ids(of: dependencies), Self.ids(of: members))
    let categories = Self.options(around: operation).flatMap(\.exclusive)
    let snapshot = engine.read { transaction in
      Snapshot(
        of: id,
        dependencies: dependencyIDs,
        members: memberIDs,
        categories: categories,
        naming: Self.namedLimit,
        transaction
      )
    }
    let candidates = snapshot.hasBegun ? members : dependencies
    open = snapshot.open.map { candidates[$0] }
    (now, self.snapshot) = (engine.now, snapshot)
  }

  private static func ids(of operations: [PoolOperation]) -> [OperationID?] {
    operations.map { operation in operation.life.withLock { $0.id } }
  }

  /// The options of an operation and of its groups, whose limits are its own, too.
  private static func options(around operation: PoolOperation) -> [PoolOperationOptions] {
    ([operation] + operation.enclosingGroups).map(\.options)
  }
}

// MARK: - The questions

extension AskedOperation {
  func ending() -> Answer? {
    if let outcome = operation.outcome {
      let sentence = outcome.failure?.sentence
      return (.ended(outcome.ending), .ended(outcome.ending, because: sentence))
    }
    return snapshot.obstacles.ending.map { ending -> Answer in (.ended(ending), .ended(ending)) }
  }

  func absence() -> Answer? {
    snapshot.obstacles.isInQueue ? nil : (.outside, .held(.outside))
  }

  func execution() -> Answer? {
    if snapshot.hasBegun {
      let (named, more) = namedOpen
      return (.members(named, more: more), .held(.members(words(named), more: more)))
    }
    guard let worker = snapshot.lacks?.worker else { return nil }
    guard let start = snapshot.start else {
      return (.handedOver(worker), .held(.handedOver(worker)))
    }
    let time = elapsed(since: start)
    return (.executing(worker, .nanoseconds(time)), .executing(worker, time))
  }

  func nextAttempt() -> Answer? {
    snapshot.obstacles.due.map { due -> Answer in
      let time = max(due.nanoseconds - now.nanoseconds, 0)
      return (.delayed(.nanoseconds(time)), .delayed(time))
    }
  }

  func dependencies() -> Answer? {
    guard !open.isEmpty else { return nil }
    let (named, more) = namedOpen
    return (.dependencies(named, more: more), .dependencies(words(named), more: more))
  }

  func hold() -> Answer? {
    let obstacles = snapshot.obstacles
    if obstacles.gateCount > 0 {
      return (.gates(obstacles.gateCount), .held(.gates(obstacles.gateCount)))
    }
    if obstacles.group != nil, let group = operation.group {
      return (.group(group), .held(.group(word(group))))
    }
    return obstacles.isPreparing ? (.preparation, .held(.preparation)) : nil
  }

  func barrier() -> Answer? {
    guard let barrier = snapshot.obstacles.barrier,
      let first = OperationRegistry.process.find(barrier.first)
    else { return nil }
    return (.barrier(first, isOwn: barrier.isOwn), .barrier(isOwn: barrier.isOwn, word(first)))
  }

  func fullLimit() -> Answer? {
    guard let resource = snapshot.lacks?.resource else { return nil }
    let holders = resource.holders.prefix(Self.namedLimit)
      .compactMap { OperationRegistry.process.find($0) }
    let name = name(of: resource.id)
    return (
      .limit(name?.text, units: resource.units, holders: holders),
      .limit(
        ResourceName(name?.source ?? .limit, Array((name?.text ?? "unnamed").utf8)),
        units: resource.units,
        words(holders)
      )
    )
  }

  func pause() -> Answer? {
    guard let lacks = snapshot.lacks, lacks.isSuspended || lacks.width < 1 else { return nil }
    let reason = lacks.isSuspended ? "it is suspended" : "its maxConcurrentOperationCount is 0"
    return (.paused(reason), .paused(.queue, reason))
  }

  func rest() -> Answer {
    let slots = max(operation.options.slots, 1)
    guard let lacks = snapshot.lacks else {
      return (.slots(slots, executing: 0), .slot(count: slots, busy: 0))
    }
    guard lacks.hasWorker else { return (.worker, .held(.worker(kind: operation.kind))) }
    return (
      .slots(slots, executing: lacks.executingCount),
      .slot(
        count: slots,
        busy: lacks.executingCount,
        snapshot.ahead.map { Standing.Turn(behind: $0) }
      )
    )
  }
}

// MARK: - Names and times

extension AskedOperation {
  private var namedOpen: (named: [PoolOperation], more: Int) {
    (Array(open.prefix(Self.namedLimit)), max(open.count - Self.namedLimit, 0))
  }

  /// The name of the category, limit or width that is a resource.
  private func name(of resource: ResourceID) -> (source: ResourceName.Source, text: String)? {
    if let category = snapshot.categories.first(where: { $0.resource == resource }) {
      return (.exclusive, category.name)
    }
    let group = operation.enclosingGroups.first { group in
      group.life.withLock { $0.hasColdState && $0.widthResource == resource }
    }
    if let group { return (.limit, group.label) }
    let limits = Self.options(around: operation).flatMap(\.limits)
    return limits.first { $0.resource == resource }.flatMap { limit in
      limit.name.map { (.limit, $0) }
    }
  }

  private func words(_ operations: [PoolOperation]) -> [PoolAnalysis.Standing.Other] {
    operations.map { word($0) }
  }

  private func word(_ other: PoolOperation) -> PoolAnalysis.Standing.Other {
    let start = other.life.withLock { $0.id }.flatMap { snapshot.starts[$0] }
    return PoolAnalysis.Standing.Other(
      Array(other.label.utf8),
      executing: start.map { elapsed(since: $0) }
    )
  }

  private func elapsed(since start: Instant) -> Int64 {
    max(now.nanoseconds - start.nanoseconds, 0)
  }
}

/// What the engine knew at one moment about an operation.
private struct Snapshot {
  var obstacles = OperationObstacles()
  var lacks: OperationLacks?
  var start: Instant?
  /// Number of ready operations of its queue that are dispatched before it.
  var ahead: Int?
  /// Whether it is a group that has begun.
  var hasBegun = false
  /// Which of its dependencies, or of a group that has begun, of its members, have not ended.
  var open: [Int] = []
  /// When the attempts of other operations began that may be named, while they execute.
  var starts: [OperationID: Instant] = [:]
  var categories: [(name: String, resource: ResourceID)] = []

  /// Nothing, about an operation that the engine does not know.
  init() {}

  init(
    of id: OperationID,
    dependencies: [OperationID?],
    members: [OperationID?],
    categories: [String],
    naming limit: Int,
    _ transaction: borrowing PoolEngine.Transaction
  ) {
    obstacles = transaction.obstacles(of: id)
    lacks = transaction.lacks(id)
    start = transaction.start(of: id)
    ahead = transaction.ahead(of: id)?.count
    hasBegun = lacks == nil && transaction.phase(of: id) == .executing
    let candidates = hasBegun ? members : dependencies
    for place in candidates.indices {
      let hasEnded = candidates[place].map { transaction.phase(of: $0) == .finished } ?? false
      if !hasEnded { open.append(place) }
    }
    for category in categories {
      guard let resource = transaction.resource(of: category) else { continue }
      self.categories.append((category, resource))
    }
    var named = open.prefix(limit).compactMap { candidates[$0] }
    named += lacks?.resource?.holders.prefix(limit) ?? []
    named += [obstacles.barrier?.first, obstacles.group].compactMap { $0 }
    for other in named { starts[other] = transaction.start(of: other) }
  }
}
