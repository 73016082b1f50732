import PoolSystem

/// How an existing job log is continued.
struct JobLogStart: Hashable {
  /// Number of its bytes to keep; nil for all, including bytes that other processes add meanwhile.
  var keptByteCount: Int64?
  /// Whether they have the header.
  var hasHeader: Bool

  /// The log starts empty.
  static let empty = Self(keptByteCount: 0, hasHeader: false)

  private init(keptByteCount: Int64?, hasHeader: Bool) {
    self.keptByteCount = keptByteCount
    self.hasHeader = hasHeader
  }

  /// Decides by the first bytes of the file, its size, and the end of its last whole line; nil for
  /// another file, which is left alone.
  ///
  /// A run that was killed may have left a line, or the header, without its end. That is cut off:
  /// its operation counts as not executed.
  init?(start: [UInt8], byteCount: Int64, lastLineEnd: Int64) {
    hasHeader = start.starts(with: JobLogLine.header)
    if hasHeader {
      keptByteCount = lastLineEnd == byteCount ? nil : lastLineEnd
    } else {
      guard byteCount == Int64(start.count), JobLogLine.header.starts(with: start) else {
        return nil
      }
      keptByteCount = byteCount == 0 ? nil : 0
    }
  }

  /// Decides by the content of an open file.
  init?(_ descriptor: Int32) throws(SystemFailure) {
    let byteCount = try Descriptors.size(of: descriptor)
    let head = 0..<min(byteCount, Int64(JobLogLine.header.count))
    var start: [UInt8] = []
    try SystemIO.forEachPiece(of: descriptor, head) { start += $0 }
    self.init(
      start: start,
      byteCount: byteCount,
      lastLineEnd: try Self.lastLineEnd(descriptor, byteCount)
    )
  }

  /// Number of bytes up to the last line feed, and with it.
  private static func lastLineEnd(
    _ descriptor: Int32,
    _ byteCount: Int64
  ) throws(SystemFailure) -> Int64 {
    var end = byteCount
    while end > 0 {
      let start = max(end - Int64(pieceSize), 0)
      var piece: [UInt8] = []
      try SystemIO.forEachPiece(of: descriptor, start..<end) { piece += $0 }
      if let place = piece.lastIndex(of: UInt8(ascii: "\n")) { return start + Int64(place) + 1 }
      end = start
    }
    return 0
  }

  /// Bytes that are read at once, backwards: 64 KiB.
  private static let pieceSize = 64 << 10
}
