import PoolCore
import PoolModel

/// Limits how many operations that share it execute at once, across all queues.
///
/// ```swift
/// let network = PoolLimit(4, name: "network")
/// let options = PoolOperationOptions(limits: [network])
/// ```
///
/// An operation takes one unit of each of its limits, and of each of its exclusive categories, just
/// before its dispatch, all at once. Waiting operations take turns by priority, then in the order
/// in which they were added, among the queues of one fleet that are not suspended; of several
/// fleets, the one goes first that has a free worker.
public final class PoolLimit: Sendable, Hashable {
  /// A name for people.
  public let name: String?

  let resource: ResourceID

  /// Makes a limit of this number of operations; 0, or less, holds all of them back.
  public init(_ count: Int, name: String? = nil) {
    self.name = name
    resource = OperationRegistry.process.engine.addResource(capacity: max(count, 0))
  }

  deinit {
    OperationRegistry.process.engine.removeResource(resource)
  }

  /// Changes the limit; executing operations go on, and less than 0 counts as 0.
  public func setCount(_ count: Int) {
    OperationRegistry.process.engine.setCapacity(max(count, 0), of: resource)
  }

  /// Two limits are the same if they are one object.
  public static func == (left: PoolLimit, right: PoolLimit) -> Bool { left === right }

  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
