/// The resources that an execution used, as accounted by the operating system.
public struct PoolResourceUsage: Hashable, Sendable {
  /// Processor time in user mode, in microseconds.
  public var userMicroseconds: Int64
  /// Processor time in the kernel, in microseconds.
  public var systemMicroseconds: Int64
  /// The largest resident set, in bytes.
  public var peakMemoryBytes: Int64

  /// Makes a usage from the three figures.
  public init(userMicroseconds: Int64, systemMicroseconds: Int64, peakMemoryBytes: Int64) {
    self.userMicroseconds = userMicroseconds
    self.systemMicroseconds = systemMicroseconds
    self.peakMemoryBytes = peakMemoryBytes
  }
}
