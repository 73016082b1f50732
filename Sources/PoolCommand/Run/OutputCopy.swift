import OperationPool
import PoolSystem

/// Copying outputs piece by piece, in flat memory.
enum OutputCopy {
  /// What is copied at once: 256 KiB.
  private static let pieceSize = 256 << 10

  /// Gives an output to the closure, in pieces.
  static func forEachPiece(
    of content: OutputContent,
    _ body: (UnsafeRawBufferPointer) throws(SystemFailure) -> Void
  ) throws(SystemFailure) {
    switch content {
    case .inline(let bytes):
      guard !bytes.isEmpty else { return }
      let result = bytes.withUnsafeBytes { buffer in
        Result { () throws(SystemFailure) in try body(buffer) }
      }
      try result.get()
    case .file(let file):
      try forEachPiece(of: file.descriptor, 0..<file.byteCount, body)
    case .unavailable:
      break
    }
  }

  /// Gives a range of a file to the closure, in pieces; a file that is shorter just ends.
  static func forEachPiece(
    of descriptor: Int32,
    _ range: Range<Int64>,
    _ body: (UnsafeRawBufferPointer) throws(SystemFailure) -> Void
  ) throws(SystemFailure) {
    guard !range.isEmpty else { return }
    let size = Int(min(Int64(pieceSize), Int64(range.count)))
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    defer { buffer.deallocate() }
    var offset = range.lowerBound
    while offset < range.upperBound {
      let wanted = Int(min(Int64(size), range.upperBound - offset))
      let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
      guard case .bytes(let count) = try SystemIO.read(descriptor, into: part, from: offset) else {
        return
      }
      try body(UnsafeRawBufferPointer(rebasing: part[..<count]))
      offset += Int64(count)
    }
  }

  /// The beginning of an output, for a result line.
  static func excerpt(of content: OutputContent) -> OutputExcerpt {
    var start: [UInt8] = []
    let limit = min(content.byteCount, Int64(OutputExcerpt.limit))
    switch content {
    case .inline(let bytes):
      return OutputExcerpt(bytes)
    case .file(let file):
      // A file that cannot be read has no beginning; that its output is missing is told elsewhere.
      try? forEachPiece(of: file.descriptor, 0..<limit) { start += $0 }
      return OutputExcerpt(start, byteCount: file.byteCount)
    case .unavailable:
      return OutputExcerpt()
    }
  }
}
