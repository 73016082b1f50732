/// Checks whether bytes are UTF-8.
package enum UTF8Check {
  /// Whether the bytes are UTF-8; linear, eight bytes at a time for ASCII.
  package static func isValid(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let raw = UnsafeRawBufferPointer(bytes)
    var index = 0
    while index + 8 <= raw.count,
      raw.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
    {
      index += 8
    }
    let rest = UnsafeBufferPointer(rebasing: bytes[index...])
    return rest.allSatisfy { $0 < 0x80 } || String(validating: rest, as: UTF8.self) != nil
  }
}
