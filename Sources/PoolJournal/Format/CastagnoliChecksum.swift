/// CRC-32C, the checksum of each record: any change of up to four bytes in a row is found.
package enum CastagnoliChecksum {
  /// The checksum of some bytes, or of what `previous` is the checksum of and these bytes.
  package static func of(_ bytes: UnsafeRawBufferPointer, after previous: UInt32 = 0) -> UInt32 {
    table.withUnsafeBufferPointer { table in
      var rest = ~previous
      for byte in bytes { rest = table[Int(UInt8(truncatingIfNeeded: rest) ^ byte)] ^ rest >> 8 }
      return ~rest
    }
  }

  /// What each byte does to the rest of the division by the polynomial, bits reflected.
  private static let table: [UInt32] = (0..<256).map { byte in
    var rest = UInt32(byte)
    for _ in 0..<8 { rest = rest & 1 == 1 ? rest >> 1 ^ 0x82f6_3b78 : rest >> 1 }
    return rest
  }
}
