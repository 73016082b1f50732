public import PoolModel

/// Options of an operation; all of them have defaults.
public struct PoolOperationOptions: Hashable, Sendable {
  /// A name for people; without one, the kind is used.
  public var name: String?
  /// The order of execution among the ready operations of a queue.
  public var queuePriority: PoolQueuePriority
  /// The share of the machine's resources for its execution; `default` means the queue's.
  public var qualityOfService: PoolQualityOfService
  /// The longest execution of one attempt; nil for no limit.
  public var timeout: Duration?
  /// The expected duration of one attempt; nil if unknown.
  ///
  /// ``PoolSchedulingPolicy/criticalPath`` weighs operations by it.
  public var expectedDuration: Duration?
  /// The number of further attempts after one that failed, timed out or was lost, and their
  /// conditions.
  public var retryPolicy: PoolRetryPolicy
  /// How it is ended when it is cancelled or exceeds its timeout; nil for the pool's teardown
  /// sequence, ``PoolTeardownSequence/standard``.
  public var teardownSequence: PoolTeardownSequence?
  /// Categories of mutual exclusion: no two operations of this process that share one execute at
  /// once.
  ///
  /// Those of a group are its members'.
  public var exclusive: [String]
  /// Limits that it shares with others; those of a group are its members'.
  public var limits: [PoolLimit]
  /// Number of slots of its queue's width, and of its fleet, that it takes.
  ///
  /// An operation that takes more than exist executes alone. A group takes none.
  public var slots: Int
  /// Whether it waits for all operations added to its queue before it, and holds back all that are
  /// added after it.
  public var isBarrier: Bool
  /// Whether its dependencies inherit its priority, and pass it on.
  public var raisesDependencies: Bool
  /// Whether it may be executed again, at no cost of a retry, where the link to its worker has
  /// ended and it may have begun there.
  ///
  /// Only a worker that was not proved to be on this machine leaves such a doubt. Each execution
  /// counts as an attempt.
  public var isIdempotent: Bool
  /// The features that a machine must have to execute it, all of them: only workers that have them
  /// by ``PoolWorkerConfiguration/having(_:)-(String...)`` get it.
  ///
  /// Where the fleet has no such workers, it fails with the cause `unservedKind`.
  public var constraint: Set<String>

  /// Makes options; omitted ones are the defaults.
  public init(
    name: String? = nil,
    queuePriority: PoolQueuePriority = .normal,
    qualityOfService: PoolQualityOfService = .default,
    timeout: Duration? = nil,
    expectedDuration: Duration? = nil,
    retryPolicy: PoolRetryPolicy = .never,
    teardownSequence: PoolTeardownSequence? = nil,
    exclusive: [String] = [],
    limits: [PoolLimit] = [],
    slots: Int = 1,
    isBarrier: Bool = false,
    raisesDependencies: Bool = false,
    isIdempotent: Bool = false,
    constraint: Set<String> = []
  ) {
    self.name = name
    self.queuePriority = queuePriority
    self.qualityOfService = qualityOfService
    self.timeout = timeout
    self.expectedDuration = expectedDuration
    self.retryPolicy = retryPolicy
    self.teardownSequence = teardownSequence
    self.exclusive = exclusive
    self.limits = limits
    self.slots = slots
    self.isBarrier = isBarrier
    self.raisesDependencies = raisesDependencies
    self.isIdempotent = isIdempotent
    self.constraint = constraint
  }

  /// The same options without duplicate categories and limits, because an operation takes one unit
  /// of each.
  var normalized: Self {
    guard !exclusive.isEmpty || !limits.isEmpty else { return self }
    var copy = self
    copy.exclusive = Array(Set(exclusive)).sorted()
    copy.limits = limits.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    return copy
  }

  /// Whether all are the defaults.
  var areDefaults: Bool {
    name == nil && queuePriority == .normal && qualityOfService == .default && timeout == nil
      && expectedDuration == nil && retryPolicy == .never && teardownSequence == nil
      && exclusive.isEmpty
      && limits.isEmpty && slots == 1 && !isBarrier && !raisesDependencies
      && !isIdempotent && constraint.isEmpty
  }
}

/// Options that differ from the defaults; most operations have none.
final class SpecialOptions: Sendable {
  let options: PoolOperationOptions

  init(_ options: PoolOperationOptions) {
    self.options = options
  }
}
