import PoolCore
public import PoolModel

/// How often, when, and after which endings an operation is executed again.
///
/// ```swift
/// let policy = PoolRetryPolicy.retries(5, delay: .milliseconds(500), growth: 2)
/// let options = PoolOperationOptions(retryPolicy: policy)
/// ```
///
/// Without a delay of your own, operations wait 100 ms before the second attempt, twice as long
/// before each further one, and at most 30 s.
///
/// Between two attempts the operation is ``PoolOperation/State/pending``: it takes no slot, it can
/// be cancelled, and dependencies can be added. Each delay is lengthened by up to half, but not
/// above the maximum, so that operations that failed together are not tried again together. The
/// change depends only on the operation's number in this process and the attempt.
public struct PoolRetryPolicy: Hashable, Sendable {
  /// The maximum number of further attempts after the first.
  public var count: Int
  /// The time between the first attempt and the second; 0 to try again at once.
  public var delay: Duration
  /// The factor between one delay and the next; less than 1 counts as 1.
  public var growth: Double
  /// The longest delay.
  public var maximumDelay: Duration
  /// The endings that are followed by another attempt, out of `failed`, `timedOut` and `lost`.
  public var endings: Set<PoolEnding> {
    get { endingBits.values(among: PoolEnding.failures) }
    set { endingBits = RawValueBits(newValue, of: PoolEnding.failures) }
  }
  /// The causes that are followed by another attempt, among those endings.
  ///
  /// An operation that is quarantined, because it killed worker after worker, is never tried again.
  public var causes: Set<PoolRetryCause> {
    get { causeBits.values(among: PoolRetryCause.allCases) }
    set { causeBits = RawValueBits(newValue, of: PoolRetryCause.allCases) }
  }

  /// The exit codes that are followed by another attempt, if the cause `exit` is; nil for all.
  public var exitCodes: Set<Int32>?

  // Bits, because options are created for each operation, and two sets would be counted references.
  private var endingBits: RawValueBits<PoolEnding>
  private var causeBits: RawValueBits<PoolRetryCause>

  /// An operation is executed once, however it ends.
  public static var never: Self { Self(count: 0) }

  /// At most this many further attempts.
  ///
  /// Without a `delay`, the first one is 100 ms, each further one twice as long, and none longer
  /// than 30 s. With a `delay`, all are equal, and none is longer than an hour. `growth` and
  /// `maximumDelay` change either.
  public static func retries(
    _ count: Int,
    delay: Duration? = nil,
    growth: Double? = nil,
    maximumDelay: Duration? = nil,
    on endings: Set<PoolEnding>? = nil,
    because causes: Set<PoolRetryCause>? = nil,
    exitCodes: Set<Int32>? = nil
  ) -> Self {
    var policy = Self(count: count)
    if let delay {
      policy.delay = delay
      policy.growth = 1
      policy.maximumDelay = .seconds(3_600)
    }
    if let growth { policy.growth = growth }
    if let maximumDelay { policy.maximumDelay = maximumDelay }
    policy.exitCodes = exitCodes
    if let endings { policy.endings = endings }
    if let causes { policy.causes = causes }
    return policy
  }

  private init(count: Int) {
    self.count = count
    let standard = RetryRule.standard
    delay = .nanoseconds(standard.delay)
    growth = standard.growth
    maximumDelay = .nanoseconds(standard.maximum)
    endingBits = .all
    causeBits = .all
  }

  /// The rule for the core, in nanoseconds; nil if it is the standard one, or is never asked for.
  var rule: RetryRule? {
    guard count > 0, self != Self(count: count) else { return nil }
    return RetryRule(
      delay: .nanoseconds(of: delay),
      growth: growth,
      maximum: .nanoseconds(of: maximumDelay),
      on: endings,
      because: causes,
      exitCodes: exitCodes
    )
  }
}

/// A set of values by their raw values, which allocates no memory.
private struct RawValueBits<Value: Hashable & RawRepresentable<UInt8>>: Hashable, Sendable {
  private var bits: UInt8

  /// Contains every value.
  static var all: Self { Self(bits: .max) }

  private init(bits: UInt8) {
    self.bits = bits
  }

  /// The given values out of the possible ones.
  init(_ values: Set<Value>, of possible: [Value]) {
    let some = possible.filter(values.contains)
    bits = some.count == possible.count ? .max : some.reduce(0) { $0 | 1 << $1.rawValue }
  }

  func values(among possible: [Value]) -> Set<Value> {
    Set(possible.filter { bits & 1 << $0.rawValue != 0 })
  }
}
