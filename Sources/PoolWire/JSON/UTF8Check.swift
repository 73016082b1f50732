/// Checks whether bytes are UTF-8.
package enum UTF8Check {
  /// Whether the bytes are UTF-8; linear, eight bytes at a time for ASCII.
  package static func isValid(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let rest = UnsafeBufferPointer(rebasing: bytes[asciiEnd(of: bytes)...])
    return rest.allSatisfy { $0 < 0x80 } || String(validating: rest, as: UTF8.self) != nil
  }

  /// Whether the bytes are ASCII.
  static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes[asciiEnd(of: bytes)...].allSatisfy { $0 < 0x80 }
  }

  /// The end of the groups of eight bytes at the start that are ASCII.
  private static func asciiEnd(of bytes: UnsafeBufferPointer<UInt8>) -> Int {
    let raw = UnsafeRawBufferPointer(bytes)
    var index = 0
    while index + 8 <= raw.count,
      raw.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
    {
      index += 8
    }
    return index
  }
}
