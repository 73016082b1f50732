/// How the input of `opool map` becomes blocks, each the standard input of one execution.
package struct BlockOptions: Hashable, Sendable {
  /// The size of a block.
  package enum Size: Hashable, Sendable {
    /// At most this number of bytes, unless a single record is longer.
    case bytes(Int)
    /// So many blocks for each operation that executes at the same time.
    case share(Int)
  }

  /// Whether the blocks are parts of a file, which is read only near the boundaries between them.
  package var areParts = false
  package var size = Size.bytes(1 << 20)
  /// Number of records of a block; nil if only the size limits it.
  package var recordCount: Int?
  package var boundary = RecordBoundary.lines

  package init() {}
}
