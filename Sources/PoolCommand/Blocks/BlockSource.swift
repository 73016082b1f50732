import PoolSystem

/// The source of blocks: a regular file, which is cut in place, or a stream.
enum BlockSource: Sendable {
  case file(FileCutter)
  case stream(BlockStream)

  /// A block: the offset of its end in the input and, from a stream, its bytes.
  typealias Block = (end: Int64, bytes: UnsafeRawBufferPointer?)

  var isStream: Bool { if case .stream = self { true } else { false } }

  /// A list for its blocks.
  var list: BlockList {
    switch self {
    case .file(let cutter): BlockList(from: cutter.origin, of: cutter.file)
    case .stream: BlockList()
    }
  }

  /// Passes on one block after the other while more are wanted; `isWanted` is asked before each.
  func forEachBlock(
    while isWanted: () -> Bool,
    _ body: (Block) throws -> Void
  ) throws {
    switch self {
    case .stream(let stream): try stream.forEachBlock(while: isWanted, body)
    case .file(let cutter):
      var start = cutter.origin
      while isWanted(), let end = try cutter.end(from: start) {
        try body((end, nil))
        start = end
      }
      // As if it had been read up to there, for programs that share the descriptor.
      Descriptors.seek(cutter.file, to: start)
    }
  }
}

/// Cuts a stream into blocks.
struct BlockStream {
  let descriptor: Int32
  let cutter: BlockCutter
  /// The largest size that a block may grow to, and why.
  let limit: Int

  /// A record is longer than a block may be.
  struct LongRecord: Error {
    var offset: Int64
    var limit: Int
  }

  func forEachBlock(
    while isWanted: () -> Bool,
    _ body: (BlockSource.Block) throws -> Void
  ) throws {
    var cutter = cutter
    var buffer = StreamBuffer(of: descriptor)
    defer { buffer.free() }
    var end: Int64 = 0
    while isWanted() {
      var length = cutter.cut(buffer.bytes, isEnd: buffer.isEnd)
      while length == nil {
        guard buffer.bytes.count <= limit else { throw LongRecord(offset: end, limit: limit) }
        try buffer.read(upTo: min(cutter.wanted(beyond: buffer.bytes.count), limit + 1))
        length = cutter.cut(buffer.bytes, isEnd: buffer.isEnd)
      }
      guard let length, length > 0 else { return }
      end += Int64(length)
      try body((end, UnsafeRawBufferPointer(rebasing: buffer.bytes[..<length])))
      buffer.drop(length)
    }
  }
}

/// Bytes of a stream that were read and not used yet.
private struct StreamBuffer {
  private let descriptor: Int32
  private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private var start = 0
  private var end = 0
  private(set) var isEnd = false

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
    if memory.baseAddress != old.baseAddress { old.deallocate() }
    (start, end) = (0, end - start)
  }
}
