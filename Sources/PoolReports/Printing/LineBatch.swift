package import PoolContents
import PoolModel
package import PoolSystem

/// Whole lines for a file of a run: their text, and the large results that belong into it, which
/// are written in pieces and never copied.
package struct LineBatch: Sendable {
  /// A result, and the offset in the text before which it belongs.
  package typealias Insertion = (offset: Int, result: ResultContent)

  private var text: [UInt8]
  private var insertions: [Insertion]

  package init(_ text: [UInt8], _ insertions: [Insertion] = []) {
    (self.text, self.insertions) = (text, insertions)
  }

  /// Number of bytes in memory.
  package var inlineCount: Int { insertions.reduce(text.count) { $0 + $1.result.inlineCount } }

  /// The same lines, after a line feed.
  var onNewLine: Self {
    Self([UInt8(ascii: "\n")] + text, insertions.map { ($0.offset + 1, $0.result) })
  }

  /// Passes the lines to the closure; in one piece if there are no large results.
  package func forEachPiece(
    _ body: (UnsafeRawBufferPointer) throws(SystemFailure) -> Void
  ) throws(SystemFailure) {
    try text.withBytes { text throws(SystemFailure) in
      var start = 0
      for (offset, result) in insertions {
        try body(UnsafeRawBufferPointer(rebasing: text[start..<offset]))
        try result.forEachPieceInLine(body)
        start = offset
      }
      if start < text.count { try body(UnsafeRawBufferPointer(rebasing: text[start...])) }
    }
  }
}

extension ResultContent {
  /// The JSON of a small result, as a part of a line; nil for a large one.
  var lineIfSmall: [UInt8]? {
    guard isSmall else { return nil }
    var line: [UInt8] = []
    // It is in memory, so nothing can fail.
    try? forEachPieceInLine { line += $0 }
    return line
  }

  /// Passes the JSON to the closure, in pieces, without the line feeds between its tokens: they
  /// would break a file of lines.
  func forEachPieceInLine(
    _ body: (UnsafeRawBufferPointer) throws(SystemFailure) -> Void
  ) throws(SystemFailure) {
    try forEachPiece { piece throws(SystemFailure) in
      guard piece.contains(where: { Self.endsLine($0) }) else { return try body(piece) }
      let line = piece.map { Self.endsLine($0) ? UInt8(ascii: " ") : $0 }
      try line.withBytes(body)
    }
  }

  private static func endsLine(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
  }
}
