import OperationPool
import PoolContents
import PoolCore
import PoolInputs
import PoolJournal
import PoolModel
import PoolReports
import PoolWire

/// The operations and groups of a workload, in the form that the engine takes.
///
/// Operations have their numbers in the workload; behind them come the groups, as in dependencies.
struct WorkloadSubmission: Sendable {
  private let workload: any Workload
  private let options: SharedOptions
  private let journal: RunJournal?
  private var resources: [ResourceID] = []
  private var kinds: [KindID] = []
  /// The rule for operations without settings of their own, which the pool has, too.
  private let retryRule: RetryRule
  /// Number of members of each group.
  let memberCounts: [Int]

  init(
    _ workload: any Workload,
    _ options: SharedOptions,
    _ control: RunControl,
    _ journal: RunJournal?
  ) {
    self.workload = workload
    self.options = options
    self.journal = journal
    retryRule = options.retrySettings.rule
    memberCounts = workload.memberCounts
    declare(to: control.engine)
  }

  /// Declares the kinds and resources that the workload has so far; everything that its operations
  /// name must be declared before they are submitted.
  mutating func declare(to engine: PoolEngine) {
    for kind in workload.kinds[kinds.count...] { kinds.append(engine.kind(kind)) }
    for index in resources.count..<workload.resourceCount {
      resources.append(engine.addResource(capacity: workload.resource(index).units))
    }
  }

  /// The rule of an operation that has settings of its own.
  private func ownRetryRule(of operation: Int) -> RetryRule? {
    let settings = workload.retrySettings(of: operation)
    return settings.areDefaults ? nil : settings.completed(by: options.retrySettings).rule
  }

  /// Nanoseconds that an attempt may take; nil for any number.
  func timeout(of operation: Int) -> Int64? { workload.timeout(of: operation) ?? options.timeout }

  /// Number of further attempts.
  func retries(of operation: Int) -> Int { workload.retries(of: operation) ?? options.retries ?? 0 }

  /// When an operation may be attempted again after this settlement; nil for at once.
  func nextAttempt(after settlement: Settlement) -> Instant? {
    let rule = ownRetryRule(of: settlement.operation.number) ?? retryRule
    let delay = rule.delay(after: settlement.attempt, of: settlement.operation)
    return delay > 0 ? settlement.finished.advanced(by: delay) : nil
  }
}

extension WorkloadSubmission: NumberedOperations {
  var count: Int { workload.count }
  var groupCount: Int { workload.groupCount }

  func spec(of operation: Int) -> OperationSpec {
    var spec = OperationSpec(
      kind: kinds[workload.kindIndex(of: operation)],
      priority: workload.priority(of: operation),
      timeout: timeout(of: operation),
      retries: retries(of: operation)
    )
    if spec.retries > 0 { spec.retryRule = ownRetryRule(of: operation) }
    spec.isIdempotent = options.isIdempotent || workload.isIdempotent(operation)
    spec.teardown = workload.teardown(of: operation)
    spec.claims = workload.claims(of: operation).map { resources[$0] }
    spec.slots = workload.slots(of: operation)
    spec.isBarrier = workload.isBarrier(operation)
    workload.forEachInput(of: operation) { _, _ in spec.needsPreparation = true }
    if isResumed(operation) {
      spec.needsPreparation = true
    } else {
      spec.earlier = journal?.earlierSending(of: operation).map(EarlierAttempts.init)
    }
    return spec
  }

  func forEachDependency(of operation: Int, _ body: (Int, PoolRequirement) -> Void) {
    // A resumed operation keeps its place in the order, and its outcome.
    let isResumed = isResumed(operation)
    workload.forEachDependency(of: operation) { other, requirement in
      body(other, isResumed ? .finished : requirement)
    }
  }

  func forEachInput(of operation: Int, _ body: (Int, InputDescription) -> Void) {
    workload.forEachInput(of: operation) { name, source in
      let description = InputDescription(
        name: String(decoding: name, as: UTF8.self),
        from: Printable.text(workload.name(of: source)),
        isOutput: workload.isCommand(source)
      )
      body(source, description)
    }
  }

  func group(of operation: Int) -> Int? { workload.group(of: operation) }

  private func isResumed(_ operation: Int) -> Bool {
    journal?.resumption(of: operation) != nil
  }
}

extension EarlierAttempts {
  /// The clock of a run begins with it: what was sent by then has ended so much later.
  fileprivate init(_ sending: JournalSending) {
    self.init(count: sending.attempt, end: Instant(nanoseconds: sending.lease.doubt))
  }
}
