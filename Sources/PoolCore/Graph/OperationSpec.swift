package import PoolModel

/// What the core must know of an operation that is submitted.
package struct OperationSpec: Hashable, Sendable {
  package var kind: KindID
  package var priority: PoolQueuePriority
  /// The longest execution of one attempt, in nanoseconds; nil for no limit.
  package var timeout: Int64?
  /// How often it may be executed again after an attempt that did not succeed.
  package var retries: Int
  /// When it is executed again; nil for at once, whatever kept it from succeeding.
  package var retryRule: RetryRule?
  /// How it is made to end; nil for the pool's teardown sequence.
  package var teardown: PoolTeardownSequence?
  /// How much of its queue's width, and how many of its fleet's places for workers, it takes.
  package var slots = 1
  /// What it must have one unit of, each, while a worker has it; without duplicates.
  package var claims: [ResourceID] = []
  /// Whether it waits for all that was added to its queue before it, and holds back what follows.
  package var isBarrier = false
  /// Whether it must be prepared when its dependencies have ended: conditions, inputs.
  package var needsPreparation = false
  /// Whether what it waits for is as urgent as itself.
  package var raisesDependencies = false
  /// Whether it is executed, and whether others can be its members; see `addMember(_:to:)`.
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
