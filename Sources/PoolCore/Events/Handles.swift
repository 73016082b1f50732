import PoolModel

// Places in the core's tables. They are typed, and the hot ones are four bytes; they are used again
// after what they name is gone.

/// The place of an operation's record.
struct OperationHandle: SlabHandle {
  private let rawValue: UInt32

  init(_ offset: Int) {
    rawValue = UInt32(truncatingIfNeeded: offset)
  }

  var offset: Int { Int(rawValue) }

  /// No operation: the end of a list.
  static let none = Self(-1)
}

/// The place of a worker's record.
struct WorkerHandle: SlabHandle {
  private let rawValue: UInt32

  init(_ offset: Int) {
    rawValue = UInt32(truncatingIfNeeded: offset)
  }

  var offset: Int { Int(rawValue) }
}

/// The place of the ready operations of one kind in one queue.
struct KindQueueHandle: SlabHandle {
  private let rawValue: UInt32

  init(_ offset: Int) {
    rawValue = UInt32(truncatingIfNeeded: offset)
  }

  var offset: Int { Int(rawValue) }

  /// No kind queue: that of an operation outside queues.
  static let none = Self(-1)
}

/// The place of what is known of a kind in a fleet.
struct FleetKindHandle: SlabHandle {
  private let rawValue: UInt32

  init(_ offset: Int) {
    rawValue = UInt32(truncatingIfNeeded: offset)
  }

  var offset: Int { Int(rawValue) }
}

/// The place of what an operation claims.
struct ClaimsHandle: SlabHandle {
  private let rawValue: UInt32

  init(_ offset: Int) {
    rawValue = UInt32(truncatingIfNeeded: offset)
  }

  var offset: Int { Int(rawValue) }

  /// No claims.
  static let none = Self(-1)
}

extension QueueID: SlabHandle {
  init(_ offset: Int) { self.init(rawValue: handleNumber(offset, of: "queues")) }

  var offset: Int { Int(rawValue) }
}

extension FleetID: SlabHandle {
  init(_ offset: Int) { self.init(rawValue: handleNumber(offset, of: "fleets")) }

  var offset: Int { Int(rawValue) }
}

extension ConfigurationID: SlabHandle {
  init(_ offset: Int) { self.init(rawValue: handleNumber(offset, of: "worker configurations")) }

  var offset: Int { Int(rawValue) }
}

extension OperationID {
  /// Where the operation's record is, or was.
  var handle: OperationHandle { OperationHandle(index) }
}

/// The number of a thing whose record has this offset; ends the process, with a message in builds
/// of all kinds, if there are too many: they cannot be told apart.
private func handleNumber(_ offset: Int, of things: String) -> UInt16 {
  guard let number = UInt16(exactly: offset) else {
    fatalError("no more than 65,536 \(things) can exist at the same time")
  }
  return number
}
