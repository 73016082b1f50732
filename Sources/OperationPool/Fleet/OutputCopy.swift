package import PoolSystem

/// Copying outputs piece by piece, in flat memory.
package enum OutputCopy {
  /// What is copied at once: 256 KiB.
  private static let pieceSize = 256 << 10

  /// Gives an output to the closure, in pieces.
  package static func forEachPiece(
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
  package static func forEachPiece(
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
}

extension OutputContent {
  /// How much of an output is shown in an outcome or a result: 64 KiB.
  package static let prefixLimit = 64 << 10

  /// The first bytes, at most ``prefixLimit``; fewer where the file cannot be read.
  package var prefix: [UInt8] {
    switch self {
    case .inline(let bytes):
      return Array(bytes.prefix(Self.prefixLimit))
    case .file(let file):
      let count = min(file.byteCount, Int64(Self.prefixLimit))
      var start: [UInt8] = []
      try? OutputCopy.forEachPiece(of: file.descriptor, 0..<count) { start += $0 }
      return start
    case .unavailable:
      return []
    }
  }
}
