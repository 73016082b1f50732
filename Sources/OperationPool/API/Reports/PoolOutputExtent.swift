import PoolContents

/// How much an output had, and how much of it an outcome has.
public struct PoolOutputExtent: Hashable, Sendable {
  /// Number of bytes that were written; of a command that was ended because of its limit, of those
  /// that were read by then.
  public let byteCount: Int64

  /// Number of bytes in the outcome: the first ones.
  public let keptByteCount: Int

  /// Whether the outcome has only the first bytes.
  public var isTruncated: Bool { keptByteCount < byteCount }
}

extension PoolOutputExtent {
  init(_ output: OutputContent) {
    self.init(byteCount: output.byteCount, keptByteCount: output.kept.count)
  }
}
