package import PoolJournal
import PoolModel
package import PoolSystem

/// A file of lines that a run is to write, as it was found: read, and not changed.
package final class FoundLines: FoundFile {
  package let byteCount: Int64
  package let number: FileNumber?
  package let hasExpectedStart: Bool
  private let file: OpenFile
  /// Whether an operation of the journal has written a line, which is passed without its end.
  private let isOwn: ([UInt8]) -> Bool

  /// Opens the file for reading.
  package init(
    _ path: [UInt8],
    of lines: TargetLines,
    isOwn: @escaping ([UInt8]) -> Bool
  ) throws(SystemFailure) {
    file = OpenFile(try Descriptors.openFile(path: path))
    self.isOwn = isOwn
    byteCount = try Descriptors.size(of: file.descriptor)
    number = FileIdentity(file.descriptor)?.number
    let expected = lines.start
    var start: [UInt8] = []
    let head = 0..<min(byteCount, Int64(expected.count))
    try SystemIO.forEachPiece(of: file.descriptor, head) { start += $0 }
    // A run that was killed may have written a part of the header.
    let isTorn = byteCount == Int64(start.count) && expected.starts(with: start)
    hasExpectedStart = start == expected || isTorn
  }

  package var wholeEnd: Int64 {
    var end = byteCount
    while end > 0 {
      let start = max(end - Self.pieceSize, 0)
      guard let piece = bytes(start..<end) else { return 0 }
      if let place = piece.lastIndex(of: UInt8(ascii: "\n")) { return start + Int64(place) + 1 }
      end = start
    }
    return 0
  }

  package func has(_ extent: TargetExtent) -> Bool {
    guard extent.length <= byteCount, let tail = bytes(extent.tail) else { return false }
    return TargetExtent(length: extent.length, endingIn: tail).checksum == extent.checksum
  }

  package func foreignLine(behind offset: Int64) -> Int64? {
    var (start, line) = (offset, [UInt8]())
    var foreign: Int64?
    // A torn last line is nobody's, however long it is.
    let failure = reading(offset..<max(offset, wholeEnd)) { piece in
      for part in piece.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
        // Each part but the first follows a line feed, which ends the line before it.
        if part.startIndex > piece.startIndex {
          if foreign == nil, !isOwn(line) { foreign = start }
          start += Int64(line.count) + 1
          line.removeAll()
        }
        line += part
      }
    }
    return failure ? start : foreign
  }

  /// Bytes that are read at once, backwards: 64 KiB.
  private static let pieceSize: Int64 = 64 << 10

  private func bytes(_ range: Range<Int64>) -> [UInt8]? {
    var bytes: [UInt8] = []
    return reading(range) { bytes += $0 } ? nil : bytes
  }

  /// Passes bytes to the closure; returns whether they cannot be read.
  private func reading(_ range: Range<Int64>, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    do throws(SystemFailure) {
      try SystemIO.forEachPiece(of: file.descriptor, range) { body($0) }
      return false
    } catch {
      return true
    }
  }
}
