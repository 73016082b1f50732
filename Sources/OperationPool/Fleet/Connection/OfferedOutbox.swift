import PoolSystem
import PoolWire

/// An outbox that the coordinator offers to a worker, in memory that outlives the worker.
struct OfferedOutbox {
  private let outbox: Outbox
  /// The memory behind it, until the worker has opened it.
  private var memory: SharedMemory?
  /// What the worker repeats in it.
  private let number: UInt64

  /// Nil if the system has no memory to share.
  init?() {
    guard let memory = try? SharedMemory(count: Outbox.size), let outbox = Outbox(memory) else {
      return nil
    }
    self.memory = memory
    self.outbox = outbox
    number = .random(in: 1 ... .max)
    outbox.number = number
  }

  /// Where the worker can open it; nil after it has.
  ///
  /// A worker that may be on another machine could open memory there of the same numbers: it is
  /// told what must be in it.
  func place(isProved: Bool) -> OutboxPlace? {
    memory?.descriptor.map {
      OutboxPlace(
        pid: CurrentProcess.identifier,
        descriptor: $0,
        bytes: Outbox.size,
        number: isProved ? nil : number
      )
    }
  }

  /// Whether the worker has proved that it has this memory.
  var isEchoed: Bool { outbox.echo == number }

  /// Whether the worker may not have opened it yet.
  var isOffered: Bool { memory != nil }

  /// The worker has opened it, if it could: closes the file.
  mutating func closeFile() {
    memory?.closeDescriptor()
    memory = nil
  }

  /// Whether the worker has written more than this number of bytes of its stream.
  func hasRest(after received: UInt64) -> Bool { outbox.hasRest(after: received) }

  /// Text of the worker's standard error is about to be read.
  func beginReadingText() { outbox.takenText |= 1 }

  /// Text was read; the worker is told if no mark follows it yet.
  func endReadingText(isMarked: Bool) {
    let count = outbox.takenText & ~1
    outbox.takenText = isMarked ? count : count &+ 2
  }

  /// The worker's bytes after this number of bytes of its stream.
  func rest(after received: UInt64) -> [UInt8] { outbox.rest(after: received) }
}
