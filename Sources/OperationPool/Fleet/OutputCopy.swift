package import PoolSystem

/// Copies outputs piece by piece, in constant memory.
package enum OutputCopy {
  /// Passes an output to the closure, in pieces, without the part that was passed on before.
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
      try SystemIO.forEachPiece(of: file.descriptor, file.range, body)
    case .rest(let rest, _):
      try forEachPiece(of: rest, body)
    case .unavailable:
      break
    }
  }
}

extension OutputContent {
  /// Maximum bytes of an output in an outcome or a result: 64 KiB.
  package static let prefixLimit = 64 << 10

  /// The first bytes, at most ``prefixLimit``; fewer if the file cannot be read.
  package var prefix: [UInt8] {
    switch self {
    case .inline(let bytes):
      return Array(bytes.prefix(Self.prefixLimit))
    case .file(let file):
      let range = file.range.prefix(Self.prefixLimit)
      var start: [UInt8] = []
      try? SystemIO.forEachPiece(of: file.descriptor, range) { start += $0 }
      return start
    case .rest(let rest, let passed):
      return passed.head + rest.prefix.prefix(Self.prefixLimit - passed.head.count)
    case .unavailable:
      return []
    }
  }
}
