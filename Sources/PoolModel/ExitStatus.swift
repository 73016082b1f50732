/// How a process ended.
public enum PoolExitStatus: Hashable, Sendable {
  /// It exited with this code.
  case exited(Int32)
  /// This signal ended it.
  case signaled(Int32)

  /// The exit code of a worker that lacks a resource of the system, such as a process or a
  /// descriptor, to begin an operation: `EX_TEMPFAIL` of `sysexits.h`.
  package static let shortageCode: Int32 = 75
}

extension PoolExitStatus: CustomStringConvertible {
  /// A phrase such as `exit code 3` or `signal 9`.
  public var description: String {
    switch self {
    case .exited(let code): "exit code \(code)"
    case .signaled(let signal): "signal \(signal)"
    }
  }
}
