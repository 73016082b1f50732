/// Text of one stream of an operation, on its way to a stream of opool while the operation
/// executes.
///
/// Whole lines are passed on. A line that is longer than the limit is passed on in pieces, so that
/// no line takes more memory than that.
struct LiveLines {
  /// The longest line that is kept until it is whole: 1 MiB.
  static let lineLimit = 1 << 20

  /// Number of bytes that came.
  private(set) var byteCount: Int64 = 0
  private let limit: Int
  /// The start of an unfinished line.
  private var rest: [UInt8] = []

  /// With a limit of 0, nothing waits for the end of its line.
  init(limit: Int = Self.lineLimit) {
    self.limit = limit
  }

  /// Takes a piece; returns what can be printed.
  mutating func take(_ piece: UnsafeRawBufferPointer) -> [UInt8] {
    byteCount += Int64(piece.count)
    var whole: [UInt8] = []
    var start = piece.startIndex
    if let end = piece.lastIndex(of: UInt8(ascii: "\n")) {
      start = end + 1
      whole = self.end() + piece[..<start]
    }
    rest += piece[start...]
    return rest.count > limit ? whole + end() : whole
  }

  /// Returns the unfinished line.
  mutating func end() -> [UInt8] {
    defer { rest = [] }
    return rest
  }
}

extension DisplayOptions {
  /// The longest line that is printed as a whole; 0 where pieces of lines are printed as they come.
  package var lineLimit: Int { isUngrouped ? 0 : LiveLines.lineLimit }
}
