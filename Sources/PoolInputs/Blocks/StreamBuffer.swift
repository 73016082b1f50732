import PoolSystem

/// Bytes of a stream that were read and not used yet.
struct StreamBuffer {
  private let descriptor: Int32
  private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private var start = 0
  private var end = 0
  private(set) var isEnd = false
  /// Number of bytes that were copied within memory, for tests: a few times what was read.
  private(set) var copiedCount = 0

  init(of descriptor: Int32) {
    self.descriptor = descriptor
    SystemIO.widenPipe(descriptor, for: 1 << 20)
  }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[start..<end]) }

  func free() { memory.deallocate() }

  mutating func drop(_ count: Int) { start += count }

  /// Reads once, up to this total number of bytes; waits while there is nothing to read.
  mutating func read(upTo count: Int) throws(SystemFailure) {
    // A pipe gives less than was asked for: room that is left is used first, so that a long record
    // is not copied for each read.
    if end == memory.count { makeRoom(for: count) }
    let limit = min(start + count, memory.count)
    let room = UnsafeMutableRawBufferPointer(rebasing: memory[end..<limit])
    let more = try SystemIO.readWaiting(descriptor, into: room)
    isEnd = more == 0
    end += more
  }

  /// Moves the bytes to the front; allocates more memory if they need it.
  private mutating func makeRoom(for count: Int) {
    let old = memory
    if count > memory.count {
      memory = .allocate(byteCount: count, alignment: 16)
    }
    memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: old[start..<end]))
    copiedCount += end - start
    if memory.baseAddress != old.baseAddress { old.deallocate() }
    (start, end) = (0, end - start)
  }
}
