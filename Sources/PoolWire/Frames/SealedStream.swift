/// A stream of frames in blocks with checksums, for carriers that may damage it.
///
/// A block is the number of its bytes and their checksum, four bytes each, big-endian, and the
/// bytes: at least one, at most 64 KiB. The checksum is the CRC-32C of all bytes of the stream so
/// far, so that a block that is missing, comes twice, or too late is found like one that was
/// changed.
package enum SealedStream {
  static let headerLength = 8
  /// The largest number of a block's bytes.
  package static let blockLimit = 64 << 10
}

extension SealedStream {
  /// Puts the bytes of a stream into blocks.
  package struct Sealer: Sendable {
    private var checksum: UInt32 = 0

    package init() {}

    /// Appends a block of at most ``blockLimit`` bytes, the first ones of these; returns their
    /// number.
    package mutating func seal(
      _ bytes: UnsafeRawBufferPointer,
      into blocks: inout [UInt8]
    ) -> Int {
      let content = UnsafeRawBufferPointer(rebasing: bytes.prefix(SealedStream.blockLimit))
      checksum = CastagnoliChecksum.of(content, after: checksum)
      for number in [UInt32(content.count), checksum] {
        withUnsafeBytes(of: number.bigEndian) { blocks.append(contentsOf: $0) }
      }
      blocks.append(contentsOf: content)
      return content.count
    }
  }

  /// Takes the bytes of a stream out of their blocks.
  package struct Opener: Sendable {
    private var checksum: UInt32 = 0
    private var buffer: [UInt8] = []

    package init() {}

    /// Number of bytes of a block that is not complete.
    package var pendingCount: Int { buffer.count }

    /// Takes a piece of the blocks, and passes the contents of all complete ones to the closure.
    package mutating func open(
      _ bytes: UnsafeRawBufferPointer,
      _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(Violation) {
      buffer.append(contentsOf: bytes)
      var start = 0
      while let count = try openFirst(from: start, body) { start += count }
      buffer.removeFirst(start)
    }

    /// Opens the block that begins there, and returns its length; nil if it is not complete.
    private mutating func openFirst(
      from start: Int,
      _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(Violation) -> Int? {
      guard buffer.count - start >= SealedStream.headerLength else { return nil }
      let (count, sum) = buffer.withUnsafeBytes { bytes in
        (
          Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self))),
          UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self))
        )
      }
      guard (1...SealedStream.blockLimit).contains(count) else { throw .damaged }
      let content = start + SealedStream.headerLength
      guard buffer.count - content >= count else { return nil }
      let isWhole = buffer.withUnsafeBytes { bytes in
        let block = UnsafeRawBufferPointer(rebasing: bytes[content..<(content + count)])
        checksum = CastagnoliChecksum.of(block, after: checksum)
        guard checksum == sum else { return false }
        body(block)
        return true
      }
      guard isWhole else { throw .damaged }
      return SealedStream.headerLength + count
    }
  }
}
