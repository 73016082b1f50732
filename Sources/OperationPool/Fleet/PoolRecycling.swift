import PoolCore

/// When workers that work are replaced all the same.
///
/// ```swift
/// let workers = PoolWorkerConfiguration.thisExecutable(count: 4).recycled(.after(operations: 1_000))
/// ```
///
/// A worker finishes what it has, then its input is closed, and another one is started when there
/// is work for it. No operation is lost by it, and none is charged an attempt. A worker that has
/// finished nothing is not replaced.
public struct PoolRecycling: Hashable, Sendable {
  /// How many operations a worker finishes at most; nil for no limit.
  public var operations: Int?
  /// The time after its greeting when a worker is let go; nil for no limit.
  public var age: Duration?
  /// How many bytes of memory a worker may have after an operation; nil for no limit.
  ///
  /// It is measured four times a second at most, and only where the system shows the memory of
  /// other processes, which Linux does. A program behind a command, such as ssh, is not measured.
  public var memory: Int?

  /// Workers are kept as long as they live.
  public static let never = Self.after()

  /// Whichever comes first; those left out have no limit.
  public static func after(
    operations: Int? = nil,
    age: Duration? = nil,
    memory: Int? = nil
  ) -> Self {
    Self(operations: operations, age: age, memory: memory)
  }

  /// The same for the core, which counts nanoseconds.
  var spec: Recycling {
    Recycling(
      operations: operations.map { max($0, 1) },
      age: age.map { .nanoseconds(of: $0) },
      memory: memory
    )
  }
}
