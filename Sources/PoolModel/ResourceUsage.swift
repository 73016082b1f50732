/// The resources that an execution used, as accounted by the operating system.
public struct PoolResourceUsage: Hashable, Sendable {
  /// Processor time in user mode, in microseconds, as workers report it.
  package var userMicroseconds: Int64
  /// Processor time in the kernel, in microseconds, as workers report it.
  package var systemMicroseconds: Int64
  /// The largest resident set, in bytes.
  public var peakMemoryBytes: Int64

  /// Processor time in user mode, to a microsecond.
  public var userTime: Duration { .microseconds(userMicroseconds) }
  /// Processor time in the kernel, to a microsecond.
  public var systemTime: Duration { .microseconds(systemMicroseconds) }

  package init(userMicroseconds: Int64, systemMicroseconds: Int64, peakMemoryBytes: Int64) {
    self.userMicroseconds = userMicroseconds
    self.systemMicroseconds = systemMicroseconds
    self.peakMemoryBytes = peakMemoryBytes
  }
}
