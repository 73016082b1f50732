import PoolWire

/// The layout of a record: 4 bytes of length and 4 of checksum, both big-endian, and the body,
/// which is one JSON object and a line feed.
///
/// The checksum covers the length, too, so that a run of zeros is no record.
enum JournalFrame {
  static let headerLength = 8
  /// The longest body.
  ///
  /// With this limit the first two bytes of every frame are zero, and a body never contains zeros:
  /// so no part of a record looks like the start of one.
  static let bodyLimit = Int(UInt16.max)
  private static let leastBody = 3

  /// The range of the body of the record at an offset; nil if there is no record.
  static func body(at offset: Int, in bytes: UnsafeRawBufferPointer) -> Range<Int>? {
    let start = offset + headerLength
    guard start <= bytes.count else { return nil }
    let count = Int(number(at: offset, in: bytes))
    guard count >= leastBody, count <= bodyLimit, count <= bytes.count - start,
      bytes[start] == UInt8(ascii: "{"), bytes[start + count - 1] == UInt8(ascii: "\n"),
      checksum(offset..<offset + 4, start..<start + count, in: bytes)
        == number(at: offset + 4, in: bytes)
    else { return nil }
    return start..<start + count
  }

  /// Appends a record with this body.
  static func append(_ body: [UInt8], to bytes: inout [UInt8]) {
    precondition(
      (leastBody...bodyLimit).contains(body.count),
      "what a record keeps is cut so that it fits"
    )
    let offset = bytes.count
    append(UInt32(body.count), to: &bytes)
    let sum = bytes.withUnsafeBytes { CastagnoliChecksum.of(.init(rebasing: $0[offset...])) }
    append(body.withUnsafeBytes { CastagnoliChecksum.of($0, after: sum) }, to: &bytes)
    bytes.append(contentsOf: body)
  }

  private static func append(_ number: UInt32, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
  }

  private static func number(at offset: Int, in bytes: UnsafeRawBufferPointer) -> UInt32 {
    UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  private static func checksum(
    _ length: Range<Int>,
    _ body: Range<Int>,
    in bytes: UnsafeRawBufferPointer
  ) -> UInt32 {
    let sum = CastagnoliChecksum.of(UnsafeRawBufferPointer(rebasing: bytes[length]))
    return CastagnoliChecksum.of(UnsafeRawBufferPointer(rebasing: bytes[body]), after: sum)
  }
}
