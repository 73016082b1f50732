public import PoolModel

/// What may be said of an operation beyond what it does; all of it can be left out.
public struct PoolOperationOptions: Hashable, Sendable {
  /// A name for people; the kind where there is none.
  public var name: String?
  /// Which operations of a queue are executed first when several are ready.
  public var queuePriority: PoolQueuePriority
  /// How much of the machine the execution deserves; `default` takes the queue's.
  public var qualityOfService: PoolQualityOfService
  /// The longest execution of one attempt; nil for no limit.
  public var timeout: Duration?
  /// How long one attempt likely takes; nil where nothing is known.
  ///
  /// ``PoolSchedulingPolicy/criticalPath`` weighs operations by it.
  public var expectedDuration: Duration?
  /// How often it is executed again after an attempt that failed, timed out or was lost, when, and
  /// after what.
  public var retryPolicy: PoolRetryPolicy
  /// How it is made to end when it is cancelled or takes too long; nil for the pool's teardown
  /// sequence, which is ``PoolTeardownSequence/standard``.
  public var teardownSequence: PoolTeardownSequence?
  /// Categories of mutual exclusion: no two operations of this process that share one execute at
  /// once.
  public var exclusive: [String]
  /// Limits that it shares with others.
  public var limits: [PoolLimit]
  /// How much of its queue's width, and how many of its fleet's places for workers, it takes.
  ///
  /// One that takes more than there is executes alone.
  public var slots: Int
  /// Whether it waits for all operations that were added to its queue before it, and holds back
  /// all that are added after it.
  public var isBarrier: Bool
  /// Whether what it depends on becomes as urgent as itself, and so on.
  public var raisesDependencies: Bool

  /// Makes options; those left out are the defaults.
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
    raisesDependencies: Bool = false
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
  }

  /// The same, with each category and each limit once: an operation takes one unit of each.
  var normalized: Self {
    guard !exclusive.isEmpty || !limits.isEmpty else { return self }
    var copy = self
    copy.exclusive = Array(Set(exclusive)).sorted()
    copy.limits = limits.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    return copy
  }

  /// Whether nothing was said.
  var areDefaults: Bool {
    name == nil && queuePriority == .normal && qualityOfService == .default && timeout == nil
      && expectedDuration == nil && retryPolicy == .never && teardownSequence == nil
      && exclusive.isEmpty
      && limits.isEmpty && slots == 1 && !isBarrier && !raisesDependencies
  }
}

/// Options that say something: most operations have none of these.
final class SpecialOptions: Sendable {
  let options: PoolOperationOptions

  init(_ options: PoolOperationOptions) {
    self.options = options
  }
}
