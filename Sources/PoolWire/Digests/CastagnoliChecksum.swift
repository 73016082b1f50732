/// CRC-32C, the checksum of a journal's records and of a sealed stream.
///
/// It finds any change of up to four bytes in a row.
package enum CastagnoliChecksum {
  /// The checksum of bytes or, with `previous`, of these bytes after others.
  ///
  /// Eight bytes at a time, with one table each: four times as fast as byte by byte.
  package static func of(_ bytes: UnsafeRawBufferPointer, after previous: UInt32 = 0) -> UInt32 {
    tables.withUnsafeBufferPointer { tables in
      var rest = ~previous
      var offset = 0
      while offset + 8 <= bytes.count {
        let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        let mixed = UInt64(littleEndian: word) ^ UInt64(rest)
        rest = 0
        for place in 0..<8 {
          rest ^= tables[(7 - place) * 256 + Int(mixed >> UInt64(8 * place) & 0xff)]
        }
        offset += 8
      }
      for byte in bytes[offset...] {
        rest = tables[Int(UInt8(truncatingIfNeeded: rest) ^ byte)] ^ rest >> 8
      }
      return ~rest
    }
  }

  /// The effect of each byte on the rest of the division by the polynomial, with reflected bits:
  /// alone, and with one to seven zero bytes after it.
  private static let tables: [UInt32] = {
    var tables = (0..<256).map { byte in
      var rest = UInt32(byte)
      for _ in 0..<8 { rest = rest & 1 == 1 ? rest >> 1 ^ 0x82f6_3b78 : rest >> 1 }
      return rest
    }
    for index in 256..<8 * 256 {
      let rest = tables[index - 256]
      tables.append(tables[Int(rest & 0xff)] ^ rest >> 8)
    }
    return tables
  }()
}
