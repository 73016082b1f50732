/// Names one operation of one pool.
///
/// The number is never used twice: it joins the slot in which the core keeps the operation to the
/// generation of that slot, so that an identifier kept for too long names nothing instead of
/// naming a stranger.
///
/// Identifiers are inlinable: the hot path takes them apart several times an operation, and each
/// would be a call.
public struct OperationID: Hashable, Sendable, CustomStringConvertible {
  /// The number that stands for the operation on the wire.
  public let rawValue: UInt64

  /// Wraps a number that was read from the wire.
  @inlinable package init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// Joins a slot to its generation.
  @inlinable package init(slot: Int, generation: UInt32) {
    rawValue = UInt64(generation) << 32 | UInt64(UInt32(truncatingIfNeeded: slot))
  }

  /// The slot in which the core keeps the operation.
  @inlinable package var slot: Int { Int(UInt32(truncatingIfNeeded: rawValue)) }

  /// How many operations had used the slot before.
  @inlinable package var generation: UInt32 { UInt32(truncatingIfNeeded: rawValue >> 32) }

  /// The number in decimal digits.
  public var description: String { String(rawValue) }
}

/// Names one worker process; a replacement is another worker and has another number.
public struct WorkerID: Hashable, Sendable, CustomStringConvertible {
  /// Workers of one pool are numbered from 1, in the order in which they were asked for.
  public let rawValue: UInt32

  /// Wraps a number.
  @inlinable package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The number in decimal digits.
  public var description: String { String(rawValue) }
}

/// Fences stale answers: every dispatch of an operation to a worker has a number of its own.
package struct DispatchNumber: Hashable, Sendable, Comparable {
  package let rawValue: UInt64

  package init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  package static func < (left: Self, right: Self) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// Names one dispatch: every message about an operation carries both numbers.
package struct DispatchReference: Hashable, Sendable {
  package var operation: OperationID
  package var dispatch: DispatchNumber

  package init(operation: OperationID, dispatch: DispatchNumber) {
    self.operation = operation
    self.dispatch = dispatch
  }
}

/// A kind's name, interned: kinds are compared on the hot path, and there are few of them.
package struct KindID: Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }
}

/// One way to start workers: a program and how many of it the pool keeps alive.
package struct ConfigurationID: Hashable, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) {
    self.rawValue = rawValue
  }
}

/// A set of workers and the queues that share them.
package struct FleetID: Hashable, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) {
    self.rawValue = rawValue
  }
}

/// One queue of operations.
package struct QueueID: Hashable, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) {
    self.rawValue = rawValue
  }
}

/// Something of which only so many units can be in use at once: a category of mutual exclusion,
/// which is one unit, or a limit by name.
package struct ResourceID: Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }
}
