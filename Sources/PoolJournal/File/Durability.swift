import PoolModel

/// When an outcome is on the disk, so that it survives not only the process but also a crash of the
/// machine.
package enum Durability: Hashable, PoolNamedValue {
  /// When the kernel writes it; a crash of the machine may lose any number of outcomes.
  case none
  /// At the latest, a sync begins 50 ms (``windowLength``) after the outcome.
  case window
  /// Before the outcome counts: until then nothing that depends on it is printed or dispatched.
  case operation

  /// 50 ms, in nanoseconds.
  package static let windowLength: Int64 = 50_000_000

  /// The name on the command line.
  package var name: String {
    switch self {
    case .none: "none"
    case .window: "50ms"
    case .operation: "operation"
    }
  }
}
