import PoolSystem

/// The source of blocks: a regular file, which is cut in place, or a stream.
package enum BlockSource: Sendable {
  case file(FileCutter)
  case stream(BlockStream)

  /// A block: the offset of its end in the input and, from a stream, its bytes.
  package typealias Block = (end: Int64, bytes: UnsafeRawBufferPointer?)

  package var isStream: Bool { if case .stream = self { true } else { false } }

  /// A list for its blocks.
  package var list: BlockList {
    switch self {
    case .file(let cutter): BlockList(from: cutter.origin, of: cutter.file)
    case .stream: BlockList()
    }
  }

  /// Passes on one block after the other while more are wanted; `isWanted` is asked before each.
  package func forEachBlock(
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
package struct BlockStream {
  package let descriptor: Int32
  package let cutter: BlockCutter
  /// The largest size that a block may grow to, and why.
  package let limit: Int

  /// A record is longer than a block may be.
  package struct LongRecord: Error {
    package var offset: Int64
    package var limit: Int
  }

  package func forEachBlock(
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
