public import PoolModel

/// What may be said of an operation beyond what it does; all of it can be left out.
public struct PoolOperationOptions: Hashable, Sendable {
  /// A name for people; the kind where there is none.
  public var name: String?
  /// Which operations of a queue are executed first when several are ready.
  public var queuePriority: PoolQueuePriority
  /// How much of the machine the execution deserves.
  public var qualityOfService: PoolQualityOfService
  /// The longest execution of one attempt, in seconds; nil for no limit.
  public var timeout: Double?
  /// How often it is executed again after an attempt that failed, timed out or was lost.
  public var retries: Int

  /// Makes options; those left out are the defaults.
  public init(
    name: String? = nil,
    queuePriority: PoolQueuePriority = .normal,
    qualityOfService: PoolQualityOfService = .default,
    timeout: Double? = nil,
    retries: Int = 0
  ) {
    self.name = name
    self.queuePriority = queuePriority
    self.qualityOfService = qualityOfService
    self.timeout = timeout
    self.retries = retries
  }

  /// The same, with this name where there is none.
  func named(_ name: String) -> Self {
    var copy = self
    copy.name = self.name ?? name
    return copy
  }
}
