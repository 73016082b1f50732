/// When an outcome is on the disk, so that it outlives not only the process but the machine.
package enum Durability: Hashable, Sendable, CaseIterable {
  /// When the kernel writes it; what is lost where the machine stops is not bounded.
  case none
  /// Syncing begins 50 ms (``windowLength``) after the outcome at the latest.
  case window
  /// Before the outcome counts: nothing is printed and nothing dispatched on its strength before.
  case operation

  /// 50 ms, in nanoseconds.
  package static let windowLength: Int64 = 50_000_000

  /// As it is written on the command line.
  package var name: String {
    switch self {
    case .none: "none"
    case .window: "50ms"
    case .operation: "operation"
    }
  }
}
