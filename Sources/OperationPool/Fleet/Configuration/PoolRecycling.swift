import PoolCore

/// When working workers are replaced.
///
/// ```swift
/// let workers = PoolWorkerConfiguration.thisExecutable(count: 4)
///   .recycled(.after(operations: 1_000))
/// ```
///
/// A worker finishes the operations that it has, then its input is closed, and another worker is
/// started when operations need it. No operation is lost or charged an attempt. A worker that has
/// finished nothing is not replaced.
public struct PoolRecycling: Hashable, Sendable {
  /// Maximum number of operations that a worker finishes; nil for no limit.
  public var operations: Int?
  /// The time after its greeting at which a worker is replaced; nil for no limit.
  public var age: Duration?
  /// Maximum bytes of memory that a worker may have after an operation; nil for no limit.
  ///
  /// It is measured four times a second at most, and only if the system shows the memory of other
  /// processes, as Linux does. A program behind a command, such as ssh, is not measured.
  public var memory: Int?

  /// Workers are never replaced while they work.
  public static let never = Self.after()

  /// Replaces a worker at the limit that it reaches first; omitted limits do not apply.
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
