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
