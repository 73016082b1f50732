import PoolCore
public import PoolModel

/// How often an operation is executed again that did not succeed, when, and after which endings.
///
/// ```swift
/// let policy = PoolRetryPolicy(count: 5, delay: 0.5, growth: 2, maximumDelay: 30)
/// let options = PoolOperationOptions(retryPolicy: policy)
/// ```
///
/// Between two attempts the operation is ``PoolOperation/State/pending``: it takes no place, it can
/// be cancelled, and more dependencies can be given to it. Each delay is shortened to between a
/// half and the whole of itself, so that operations that failed together do not come back together;
/// by how much follows from the operation's number in this process and the attempt, and from
/// nothing else.
public struct PoolRetryPolicy: Hashable, Sendable {
  /// How many more attempts there are at most.
  public var count: Int
  /// Seconds between the first attempt and the second; 0 for none.
  public var delay: Double
  /// By how much each delay is longer than the one before; less than 1 counts as 1.
  public var growth: Double
  /// The longest delay, in seconds.
  public var maximumDelay: Double
  /// The endings that are followed by another attempt, of `failed`, `timedOut` and `lost`.
  public var endings: Set<PoolEnding>
  /// The causes that are followed by another attempt, among those endings.
  ///
  /// An operation that is quarantined, because it killed worker after worker, is never tried again.
  public var causes: Set<PoolRetryCause>

  /// Makes a policy; where nothing else is said, all delays are alike, and none longer than an
  /// hour.
  public init(
    count: Int,
    delay: Double = 0,
    growth: Double = 1,
    maximumDelay: Double = 3_600,
    on endings: Set<PoolEnding> = Set(PoolEnding.failures),
    because causes: Set<PoolRetryCause> = Set(PoolRetryCause.allCases)
  ) {
    self.count = count
    self.delay = delay
    self.growth = growth
    self.maximumDelay = maximumDelay
    self.endings = endings
    self.causes = causes
  }

  /// The same for the core, which counts nanoseconds.
  var rule: RetryRule {
    RetryRule(
      delay: .seconds(max(delay, 0)),
      growth: growth,
      maximum: .seconds(max(maximumDelay, 0)),
      on: endings,
      because: causes
    )
  }
}
