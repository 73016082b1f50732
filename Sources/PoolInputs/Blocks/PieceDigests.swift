import PoolWire

/// Digests of the pieces of a content that comes in parts of any size.
struct PieceDigests {
  private static let size = 1 << 20
  private var piece: [UInt8] = []
  private var digests: [ContentDigest] = []

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = rest.prefix(Self.size - piece.count)
      piece.append(contentsOf: part)
      rest = rest.dropFirst(part.count)
      if piece.count == Self.size { end() }
    }
  }

  mutating func finish() -> [ContentDigest] {
    if !piece.isEmpty { end() }
    return digests
  }

  private mutating func end() {
    digests.append(SHA256.digest(of: piece))
    piece.removeAll(keepingCapacity: true)
  }
}
