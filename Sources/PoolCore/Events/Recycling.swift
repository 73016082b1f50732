import PoolModel

/// When a working worker is replaced; nil for never.
package struct Recycling: Hashable, Sendable {
  /// Maximum number of operations that it finishes.
  package var operations: Int?
  /// Nanoseconds after its greeting.
  package var age: Int64?
  /// Maximum bytes of memory, checked when it is idle.
  package var memory: Int?

  package init(operations: Int? = nil, age: Int64? = nil, memory: Int? = nil) {
    self.operations = operations
    self.age = age
    self.memory = memory
  }

  /// Workers are never replaced while they work.
  package static let never = Self()
}
