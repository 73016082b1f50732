/// Names one operation of one pool.
///
/// The number is never used twice: it combines the index of the operation's entry in the core with
/// the generation of that entry. So an identifier that is kept too long names no operation, instead
/// of another one.
///
/// Identifiers are inlinable: the hot path takes them apart several times per operation, and each
/// would be a call.
public struct OperationID: Hashable, Sendable, CustomStringConvertible {
  /// The number of the operation on the wire.
  public let rawValue: UInt64

  /// Wraps a number from the wire.
  @inlinable package init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// Combines an index with its generation.
  @inlinable package init(index: Int, generation: UInt32) {
    rawValue = UInt64(generation) << 32 | UInt64(UInt32(truncatingIfNeeded: index))
  }

  /// The index of the operation's entry in the core.
  @inlinable package var index: Int { Int(UInt32(truncatingIfNeeded: rawValue)) }

  /// Number of earlier operations with the same index.
  @inlinable package var generation: UInt32 { UInt32(truncatingIfNeeded: rawValue >> 32) }

  /// The index, such as `7`; if the generation is not 0, that follows a point: `7.2`.
  public var description: String { generation == 0 ? "\(index)" : "\(index).\(generation)" }
}

/// Names one worker process; a replacement has another number.
public struct WorkerID: Hashable, Sendable, CustomStringConvertible {
  /// Workers of one pool are numbered from 1, in the order of their creation.
  public let rawValue: UInt32

  /// Wraps a number.
  @inlinable package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The number in decimal digits.
  public var description: String { String(rawValue) }
}

/// Identifies stale answers: every dispatch of an operation to a worker has its own number.
@usableFromInline
package struct DispatchNumber: Hashable, Sendable, Comparable {
  @usableFromInline package let rawValue: UInt64

  @inlinable package init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  @inlinable package static func < (left: Self, right: Self) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// Names one dispatch: every message about an operation carries both numbers.
@usableFromInline
package struct DispatchReference: Hashable, Sendable {
  @usableFromInline package var operation: OperationID
  @usableFromInline package var dispatch: DispatchNumber

  @inlinable package init(operation: OperationID, dispatch: DispatchNumber) {
    self.operation = operation
    self.dispatch = dispatch
  }
}

/// The interned name of a kind: kinds are compared on the hot path, and there are few of them.
@usableFromInline
package struct KindID: Hashable, Sendable {
  @usableFromInline package let rawValue: UInt32

  @inlinable package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }
}

/// One way to start workers: a program, and the number of workers that the pool keeps alive.
@usableFromInline
package struct ConfigurationID: Hashable, Sendable {
  @usableFromInline package let rawValue: UInt16

  @inlinable package init(rawValue: UInt16) {
    self.rawValue = rawValue
  }
}

/// A set of workers and the queues that share them.
@usableFromInline
package struct FleetID: Hashable, Sendable {
  @usableFromInline package let rawValue: UInt16

  @inlinable package init(rawValue: UInt16) {
    self.rawValue = rawValue
  }
}

/// One queue of operations.
@usableFromInline
package struct QueueID: Hashable, Sendable {
  @usableFromInline package let rawValue: UInt16

  @inlinable package init(rawValue: UInt16) {
    self.rawValue = rawValue
  }
}

/// A resource with a limited number of units that can be in use: a category of mutual
/// exclusion, which is one unit, or a limit with a name.
@usableFromInline
package struct ResourceID: Hashable, Sendable {
  @usableFromInline package let rawValue: UInt32

  @inlinable package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }
}

extension OperationID {
  /// The number of a numbered operation.
  package var number: Int { index }
}
