/// How much of the machine an operation's execution deserves; Foundation's five classes, with its
/// raw values.
///
/// Priority orders what waits; quality of service governs what executes.
public enum PoolQualityOfService: Int, Sendable, CaseIterable {
  /// Somebody looks at the screen and waits.
  case userInteractive = 33
  /// Somebody asked for it and waits.
  case userInitiated = 25
  /// A long task whose progress somebody follows.
  case utility = 17
  /// Nobody waits: nice 19, and idle input and output where the system has such a class.
  case background = 9
  /// No class of its own.
  case `default` = -1

  /// The class from a name, such as `utility`.
  public init?(name: String) {
    guard let match = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = match
  }

  /// The class's name, such as `utility`.
  public var name: String { String(describing: self) }

  /// How much the executing process is niced above its worker, 0 to 19.
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
