import CPoolSystem

/// Where a worker keeps what it has not sent yet, so that it outlives the worker.
///
/// A stream of bytes is counted from its beginning. The memory holds, in a ring, those before a
/// position that it begins with: whoever has received fewer of them finds the rest here. So a
/// worker may send the beginnings and ends of many operations in one call, and yet nobody need
/// guess what it had begun when it was killed.
package struct Outbox: Sendable {
  /// The size of the memory: what is said of 240 operations that have short results; where more
  /// waits, it is sent.
  package static let size = header + 32 << 10

  /// The position, and the rest of its cache line.
  private static let header = 64

  private let memory: SharedMemory
  private var start: UnsafeMutableRawPointer { memory.start }
  private var ring: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: start + Self.header, count: capacity)
  }

  /// How many bytes fit.
  package let capacity: Int

  /// Takes memory of more than 64 bytes.
  package init?(_ memory: SharedMemory) {
    guard memory.count > Self.header else { return nil }
    self.memory = memory
    capacity = memory.count - Self.header
  }

  /// Keeps bytes of the stream, the first of which has the position; false where they do not fit.
  ///
  /// A death in between leaves what was there before: the position is written last.
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

  /// The bytes that follow the first `received` ones; none where those were all, or what is here
  /// cannot be right.
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
