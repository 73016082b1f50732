import CPoolSystem

/// Shared memory for the bytes that a worker has not sent yet, which outlives the worker.
///
/// Positions count the bytes of the stream from its start. The memory starts with a position, and
/// holds the bytes before it in a ring. A reader that has received fewer bytes finds the rest here.
/// So a worker may send the beginnings and ends of many operations in one call, and after its death
/// the coordinator still knows what had begun.
///
/// After the position comes a number by which the coordinator tells the worker that it has read
/// text from the worker's standard error; then a random number, and the place where a worker
/// repeats it, which proves that both have this memory.
package struct Outbox: Sendable {
  /// The size of the memory: enough for 240 operations with short results; a worker sends earlier
  /// if more waits.
  package static let size = header + 32 << 10

  /// The position, the coordinator's number, and the rest of their cache line.
  private static let header = 64
  private static let takenTextOffset = 8
  private static let numberOffset = 16
  private static let echoOffset = 24

  private let memory: SharedMemory
  private var start: UnsafeMutableRawPointer { memory.start }
  private var ring: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: start + Self.header, count: capacity)
  }

  /// Number of bytes that fit.
  package let capacity: Int

  /// Uses memory of more than 64 bytes.
  package init?(_ memory: SharedMemory) {
    guard memory.count > Self.header else { return nil }
    self.memory = memory
    capacity = memory.count - Self.header
  }

  /// Keeps bytes of the stream from a position; false if they do not fit.
  ///
  /// The position is written last, so that after a death in between the earlier content counts.
  package func keep(_ bytes: UnsafeRawBufferPointer, at position: UInt64) -> Bool {
    guard bytes.count <= capacity else { return false }
    let ring = ring
    let offset = Int(position % UInt64(capacity))
    let first = min(bytes.count, capacity - offset)
    UnsafeMutableRawBufferPointer(rebasing: ring[offset...]).copyMemory(
      from: UnsafeRawBufferPointer(rebasing: bytes[..<first])
    )
    ring.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[first...]))
    opool_store_position(start, position + UInt64(bytes.count))
    return true
  }

  /// A number that the coordinator changes whenever it has read text that no mark follows; odd
  /// while it reads.
  @inline(__always)
  package var takenText: UInt64 {
    get { opool_load_position(start + Self.takenTextOffset) }
    nonmutating set { opool_store_position(start + Self.takenTextOffset, newValue) }
  }

  /// The number by which a worker proves that it has this memory.
  package var number: UInt64 {
    get { opool_load_position(start + Self.numberOffset) }
    nonmutating set { opool_store_position(start + Self.numberOffset, newValue) }
  }

  /// The number as the worker has repeated it; 0 before.
  package var echo: UInt64 {
    get { opool_load_position(start + Self.echoOffset) }
    nonmutating set { opool_store_position(start + Self.echoOffset, newValue) }
  }

  /// Whether there are bytes after the first `received` ones.
  package func hasRest(after received: UInt64) -> Bool {
    let end = opool_load_position(start)
    return end > received && end - received <= UInt64(capacity)
  }

  /// The bytes after the first `received` ones; empty if there are none, or if the memory is
  /// invalid.
  package func rest(after received: UInt64) -> [UInt8] {
    let end = opool_load_position(start)
    guard end > received, end - received <= UInt64(capacity) else { return [] }
    let ring = ring
    let offset = Int(received % UInt64(capacity))
    let count = Int(end - received)
    let first = min(count, capacity - offset)
    return Array(ring[offset..<(offset + first)]) + Array(ring[..<(count - first)])
  }
}
