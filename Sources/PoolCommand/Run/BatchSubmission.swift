import OperationPool
import PoolCore
import PoolModel
import PoolWire

/// The operations and groups of a batch, in the form that the engine takes.
///
/// Operations have their numbers in the batch; behind them come the groups, as in dependencies.
struct BatchSubmission: Sendable {
  private let batch: any Batch
  private let options: SharedOptions
  private let journal: RunJournal?
  private var resources: [ResourceID] = []
  private var kinds: [KindID] = []
  private let retryRule: RetryRule?
  /// Number of members of each group.
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
    retryRule = Self.retryRule(options)
    memberCounts = Self.memberCounts(in: batch)
    declare(to: control.engine)
  }

  /// Declares the kinds and resources that the batch has so far; everything that its operations
  /// name must be declared before they are submitted.
  mutating func declare(to engine: PoolEngine) {
    for name in batch.kindNames[kinds.count...] { kinds.append(engine.kind(name)) }
    for index in resources.count..<batch.resourceCount {
      resources.append(engine.addResource(capacity: batch.resource(index).units))
    }
  }

  /// The delays of retries; nil if every failure is retried at once.
  private static func retryRule(_ options: SharedOptions) -> RetryRule? {
    guard options.retryDelay != nil || options.retryCauses != nil else { return nil }
    return RetryRule(
      delay: options.retryDelay ?? 0,
      growth: 2,
      maximum: .seconds(3_600),
      because: options.retryCauses ?? Set(PoolRetryCause.allCases)
    )
  }

  /// When an operation may be attempted again after this settlement; nil for at once.
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
}

extension BatchSubmission: NumberedOperations {
  var count: Int { batch.count }
  var groupCount: Int { batch.groupCount }

  func spec(of operation: Int) -> OperationSpec {
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

  func forEachDependency(of operation: Int, _ body: (Int, PoolRequirement) -> Void) {
    // A resumed operation keeps its place in the order, and its outcome.
    let isResumed = isResumed(operation)
    batch.forEachDependency(of: operation) { other, requirement in
      body(other, isResumed ? .finished : requirement)
    }
  }

  func forEachInput(of operation: Int, _ body: (Int, InputDescription) -> Void) {
    batch.forEachInput(of: operation) { name, source in
      let description = InputDescription(
        name: String(decoding: name, as: UTF8.self),
        from: Printable.text(batch.name(of: source)),
        isOutput: batch.kindNames[batch.kindIndex(of: source)] == CommandPayload.kind
      )
      body(source, description)
    }
  }

  func group(of operation: Int) -> Int? { batch.group(of: operation) }

  private func isResumed(_ operation: Int) -> Bool {
    journal?.resumption(of: operation) != nil
  }
}
