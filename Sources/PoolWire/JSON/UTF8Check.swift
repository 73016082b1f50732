/// Checks whether bytes are UTF-8.
package enum UTF8Check {
  /// Whether the bytes are UTF-8; linear, eight bytes at a time for ASCII.
  ///
  /// Reads long texts in pieces, because the standard library copies what it checks.
  package static func isValid(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var start = asciiCount(bytes)
    while start < bytes.count {
      let end = endOfPiece(from: start, in: bytes)
      guard isValid(piece: UnsafeBufferPointer(rebasing: bytes[start..<end])) else { return false }
      start = end
    }
    return true
  }

  /// Number of ASCII bytes at the start, in steps of eight.
  private static func asciiCount(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    let raw = UnsafeRawBufferPointer(bytes)
    var index = 0
    while index + 8 <= raw.count,
      raw.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
    {
      index += 8
    }
    return index
  }

  private static func isValid(piece: UnsafeBufferPointer<UInt8>) -> Bool {
    piece.allSatisfy { $0 < 0x80 } || String(validating: piece, as: UTF8.self) != nil
  }

  /// The end of a piece of at most 64 KiB, before the first byte of a character if there is one.
  private static func endOfPiece(from start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    let limit = start + pieceSize
    guard limit < bytes.count else { return bytes.count }
    // No character has more than three further bytes; more are found to be wrong in the piece.
    let continuations = bytes[limit - 3...limit].reversed().prefix { $0 & 0xC0 == 0x80 }.count
    return continuations > 3 ? limit : limit - continuations
  }

  private static let pieceSize = 64 << 10
}
