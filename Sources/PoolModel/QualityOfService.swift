/// The class of an operation's execution; Foundation's five classes, with its raw values.
///
/// Priority orders waiting operations; quality of service governs executing ones.
public enum PoolQualityOfService: Int, PoolNamedValue {
  /// A user looks at the screen and waits.
  case userInteractive = 33
  /// A user asked for it and waits.
  case userInitiated = 25
  /// A long task whose progress a user follows.
  case utility = 17
  /// No user waits: nice 19, and idle input and output if the system has such a class.
  case background = 9
  /// No class of its own.
  case `default` = -1

  /// The class's name, such as `utility`.
  public var name: String {
    switch self {
    case .userInteractive: "userInteractive"
    case .userInitiated: "userInitiated"
    case .utility: "utility"
    case .background: "background"
    case .default: "default"
    }
  }

  /// By how much the executing process is niced above its worker, 0 to 19.
  ///
  /// An unprivileged process can only lower itself, so the upper three are all 0.
  package var niceIncrement: Int32 {
    switch self {
    case .userInteractive, .userInitiated, .default: 0
    case .utility: 5
    case .background: 19
    }
  }
}

// MARK: - Thread priorities

extension PoolQualityOfService {
  /// The class nearest to a priority between 0.0 and 1.0, as in `threadPriority`.
  ///
  /// The classes are at 0.0 (`background`), 0.25 (`utility`), 0.5 (`default`), 0.75
  /// (`userInitiated`) and 1.0 (`userInteractive`). Halfway between two classes, the one nearer to
  /// 0.5 is taken; beyond the ends, the class at that end; for NaN, the default.
  public init(threadPriority: Double) {
    let offset = (threadPriority - 0.5) * 4
    guard !offset.isNaN else {
      self = .default
      return
    }
    switch offset.magnitude {
    case ...0.5: self = .default
    case ...1.5: self = offset < 0 ? .utility : .userInitiated
    default: self = offset < 0 ? .background : .userInteractive
    }
  }

  /// The class as a priority between 0.0 and 1.0; the default is 0.5.
  public var threadPriority: Double {
    switch self {
    case .background: 0
    case .utility: 0.25
    case .default: 0.5
    case .userInitiated: 0.75
    case .userInteractive: 1
    }
  }
}
