package import PoolModel

/// Attempts of an earlier run that may still execute, on another machine.
package struct EarlierAttempts: Hashable, Sendable {
  /// Number of attempts, which count.
  package var count: Int
  /// When all have certainly ended: the next one begins no earlier.
  package var end: Instant

  package init(count: Int, end: Instant) {
    (self.count, self.end) = (count, end)
  }
}

/// The description of an operation that is submitted, as the core needs it.
package struct OperationSpec: Hashable, Sendable {
  package var kind: KindID
  package var priority: PoolQueuePriority
  /// The longest execution of one attempt, in nanoseconds; nil for no limit.
  package var timeout: Int64?
  /// Maximum number of further attempts after one that did not succeed.
  package var retries: Int
  /// When and after which endings a retry follows; nil for the pool's ``PoolPolicy/retryRule``.
  package var retryRule: RetryRule?
  /// How its execution is ended; nil for the pool's teardown sequence.
  package var teardown: PoolTeardownSequence?
  /// Number of slots of its queue's width, and of its fleet, that it takes.
  package var slots = 1
  /// The resources that it takes one unit of while a worker has it; without duplicates.
  package var claims: [ResourceID] = []
  /// Whether it waits for everything added to its queue before it, and holds back what follows.
  package var isBarrier = false
  /// Whether it may be executed again where it is in doubt whether it was executed.
  package var isIdempotent = false
  /// Whether conditions or inputs must be evaluated after its dependencies have ended.
  package var needsPreparation = false
  /// Whether its dependencies inherit its priority.
  package var raisesDependencies = false
  /// What an earlier run has left in doubt of it, if anything.
  package var earlier: EarlierAttempts?
  /// Whether it is executed, and whether it can have members; see `addMember(_:to:)`.
  package var role = OperationRole.plain

  package init(
    kind: KindID,
    priority: PoolQueuePriority = .normal,
    timeout: Int64? = nil,
    retries: Int = 0
  ) {
    self.kind = kind
    self.priority = priority
    self.timeout = timeout
    self.retries = retries
  }

  /// A group that executes nothing; see ``OperationRole/group``.
  package static var group: Self {
    var spec = Self(kind: KindID(rawValue: 0))
    spec.role = .group
    return spec
  }
}
