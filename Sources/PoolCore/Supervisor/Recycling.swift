import PoolModel

/// When a worker that works is replaced all the same; nil for never.
package struct Recycling: Hashable, Sendable {
  /// How many operations it finishes at most.
  package var operations: Int?
  /// Nanoseconds after its greeting.
  package var age: Int64?
  /// How many bytes of memory it may have when it has nothing to do.
  package var memory: Int?

  package init(operations: Int? = nil, age: Int64? = nil, memory: Int? = nil) {
    self.operations = operations
    self.age = age
    self.memory = memory
  }

  /// Workers are kept as long as they live.
  package static let never = Self()
}
