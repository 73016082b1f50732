import PoolSystem
import PoolWire

/// An outbox that the coordinator offers to a worker, in memory that outlives the worker.
struct OfferedOutbox {
  private let outbox: Outbox
  /// The memory behind it, until the worker has opened it.
  private var memory: SharedMemory?

  /// Nil where the system has no memory to share.
  init?() {
    guard let memory = try? SharedMemory(count: Outbox.size), let outbox = Outbox(memory) else {
      return nil
    }
    self.memory = memory
    self.outbox = outbox
  }

  /// Where the worker finds it.
  var place: OutboxPlace? {
    memory?.descriptor.map {
      OutboxPlace(pid: CurrentProcess.identifier, descriptor: $0, bytes: Outbox.size)
    }
  }

  /// Whether the worker may not have opened it yet.
  var isOffered: Bool { memory != nil }

  /// The worker has opened it, if it could.
  mutating func closeFile() {
    memory?.closeDescriptor()
    memory = nil
  }

  /// The worker's bytes after the first so many of its stream.
  func rest(after received: UInt64) -> [UInt8] { outbox.rest(after: received) }
}
