package import PoolSystem

/// Bytes that are read in pieces, because there may be many.
package protocol PiecewiseContent {
  /// Passes the bytes to the closure, in pieces.
  func forEachPiece(
    _ body: (UnsafeRawBufferPointer) throws(SystemFailure) -> Void
  ) throws(SystemFailure)
}

extension PiecewiseContent {
  /// The same; throws ``SystemFailure/cancelled`` if the first closure, which is asked before each
  /// piece, returns false.
  package func forEachPiece(
    while isWanted: () -> Bool,
    _ body: (UnsafeRawBufferPointer) throws(SystemFailure) -> Void
  ) throws(SystemFailure) {
    try forEachPiece { piece throws(SystemFailure) in
      guard isWanted() else { throw SystemFailure.cancelled }
      try body(piece)
    }
  }
}
