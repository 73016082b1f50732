/// The five levels by which ready operations are ordered; Foundation's, with its raw values.
///
/// Source: Apple, *Operation.QueuePriority*: a raw value that is not one of the five moves towards
/// `normal` and stops at the first valid one.
public enum PoolQueuePriority: Int, PoolNamedValue, Comparable {
  /// Executed after everything else that is ready.
  case veryLow = -8
  /// Executed after `normal`.
  case low = -4
  /// The default.
  case normal = 0
  /// Executed before `normal`.
  case high = 4
  /// Executed before everything else that is ready.
  case veryHigh = 8

  /// The nearest defined level from any number, towards `normal`.
  public init(nearest value: Int) {
    switch value {
    case ...(-8): self = .veryLow
    case ...(-4): self = .low
    case ..<4: self = .normal
    case ..<8: self = .high
    default: self = .veryHigh
    }
  }

  /// The level's name, such as `veryHigh`.
  public var name: String {
    switch self {
    case .veryLow: "veryLow"
    case .low: "low"
    case .normal: "normal"
    case .high: "high"
    case .veryHigh: "veryHigh"
    }
  }

  /// The position in the order of dispatch: 0 for `veryHigh` to 4 for `veryLow`.
  package var level: Int { (8 - rawValue) / 4 }

  /// Orders by urgency: `veryLow` is the least.
  public static func < (left: Self, right: Self) -> Bool {
    left.rawValue < right.rawValue
  }
}
