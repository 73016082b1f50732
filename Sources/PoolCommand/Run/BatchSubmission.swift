import OperationPool
import PoolCore
import PoolModel

/// Puts the operations of a batch, and its groups, into the machine.
///
/// Each has the number of its slot there: the operations theirs of the batch, and behind them the
/// groups, as dependencies name them.
struct BatchSubmission: Sendable {
  private let batch: any Batch
  private let options: SharedOptions
  private let journal: RunJournal?
  private let queue: QueueID
  /// Where the groups are.
  ///
  /// In the queue of the operations a barrier would wait for a group before it, and hold back one
  /// behind it, though its members may be on both sides.
  private let groupQueue: QueueID
  private let resources: [ResourceID]
  private let kinds: [KindID]
  private let retryRule: RetryRule?
  /// How many members each group has.
  let memberCounts: [Int]

  init(
    _ batch: any Batch,
    _ options: SharedOptions,
    _ control: RunControl,
    _ journal: RunJournal?
  ) {
    self.batch = batch
    self.options = options
    self.journal = journal
    queue = control.queue
    retryRule = Self.retryRule(options)
    kinds = batch.kindNames.map { control.coordinator.kind($0) }
    memberCounts = Self.memberCounts(in: batch)
    let units = (0..<batch.resourceCount).map { batch.resource($0).units }
    let hasGroups = batch.groupCount > 0
    (groupQueue, resources) = control.coordinator.tell { machine, _ in
      (
        hasGroups ? machine.addQueue(to: control.fleet) : control.queue,
        units.map { machine.addResource(capacity: $0) }
      )
    }
  }

  /// When operations are tried again; nil where that is at once, whatever the cause.
  private static func retryRule(_ options: SharedOptions) -> RetryRule? {
    guard options.retryDelay != nil || options.retryCauses != nil else { return nil }
    return RetryRule(
      delay: options.retryDelay ?? 0,
      growth: 2,
      maximum: .seconds(3_600),
      because: options.retryCauses ?? Set(PoolRetryCause.allCases)
    )
  }

  /// When an operation whose attempt has ended so may be tried again; nil for at once.
  func nextAttempt(after settlement: Settlement) -> Instant? {
    guard let retryRule, retryRule.delay > 0 else { return nil }
    let delay = retryRule.delay(after: settlement.attempt, of: settlement.operation)
    return settlement.finished.advanced(by: delay)
  }

  private static func memberCounts(in batch: any Batch) -> [Int] {
    var counts = [Int](repeating: 0, count: batch.groupCount)
    guard !counts.isEmpty else { return [] }
    for operation in 0..<batch.count {
      if let group = batch.group(of: operation) { counts[group] += 1 }
    }
    return counts
  }

  /// Adds operations that come next in the batch; with the last of a batch that has groups, these.
  ///
  /// Ranks, where there are any, say which of them come first within a priority.
  func submit(
    _ operations: Range<Int>,
    by ranks: [Int64]? = nil,
    to machine: inout PoolMachine,
    at now: Instant
  ) {
    let groups = batch.count..<batch.count + batch.groupCount
    machine.reserve(operations.count + groups.count)
    for operation in operations { create(spec(operation), operation, in: &machine) }
    for group in groups { create(.join, group, in: &machine) }
    for operation in operations { link(operation, in: &machine, at: now) }
    enqueue(groups, in: groupQueue, of: &machine, at: now)
    enqueue(operations, by: ranks, in: queue, of: &machine, at: now)
  }

  private func create(_ spec: OperationSpec, _ number: Int, in machine: inout PoolMachine) {
    let id = machine.create(spec)
    precondition(id.slot == number, "operations have the numbers of their slots")
  }

  private func spec(_ operation: Int) -> OperationSpec {
    var spec = OperationSpec(
      kind: kinds[batch.kindIndex(of: operation)],
      priority: batch.priority(of: operation),
      timeout: batch.timeout(of: operation) ?? options.timeout,
      retries: batch.retries(of: operation) ?? options.retries ?? 0
    )
    spec.retryRule = retryRule
    spec.teardown = batch.teardown(of: operation)
    spec.claims = batch.claims(of: operation).map { resources[$0] }
    spec.slots = batch.slots(of: operation)
    spec.isBarrier = batch.isBarrier(operation)
    batch.forEachInput(of: operation) { _, _ in spec.needsPreparation = true }
    if isResumed(operation) { spec.needsPreparation = true }
    return spec
  }

  /// What an operation waits for, and the group that waits for it.
  private func link(_ operation: Int, in machine: inout PoolMachine, at now: Instant) {
    let id = OperationID(slot: operation, generation: 0)
    let isResumed = isResumed(operation)
    batch.forEachDependency(of: operation) { other, requirement in
      let other = OperationID(slot: other, generation: 0)
      // What has happened already keeps its place in the order, and its outcome.
      let requirement = isResumed ? .finished : requirement
      machine.addDependency(of: id, on: other, requiring: requirement, at: now)
    }
    guard let group = batch.group(of: operation) else { return }
    let join = OperationID(slot: batch.count + group, generation: 0)
    machine.addDependency(of: join, on: id, requiring: .finished, at: now)
  }

  private func isResumed(_ operation: Int) -> Bool {
    journal?.resumption(of: operation) != nil
  }

  private func enqueue(
    _ numbers: Range<Int>,
    by ranks: [Int64]? = nil,
    in queue: QueueID,
    of machine: inout PoolMachine,
    at now: Instant
  ) {
    let ids = numbers.map { OperationID(slot: $0, generation: 0) }
    let cycle = machine.enqueue(ids, by: ranks, in: queue, at: now)
    precondition(cycle == nil, "a manifest in which operations wait for each other is refused")
  }
}
