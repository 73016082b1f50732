extension [UInt8] {
  /// Lends the bytes, ended by a zero; there must be none among them.
  func withCString<Value>(_ body: (UnsafePointer<CChar>) -> Value) -> Value {
    (self + [0]).withUnsafeBytes { bytes in
      // The array holds at least the final zero, so that it has an address.
      let start = bytes.baseAddress.unsafelyUnwrapped
      return body(start.assumingMemoryBound(to: CChar.self))
    }
  }
}

/// A list of strings as C takes it: pointers, ended by a null one.
enum CStrings {
  /// Lends such a list; there must be no zero among the bytes.
  static func withPointers<Value>(
    _ strings: [[UInt8]],
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Value
  ) -> Value {
    var text: [UInt8] = []
    text.reserveCapacity(strings.reduce(0) { $0 + $1.count + 1 })
    for string in strings {
      text.append(contentsOf: string)
      text.append(0)
    }
    return text.withUnsafeMutableBytes { bytes in
      var offset = 0
      var pointers: [UnsafeMutablePointer<CChar>?] = []
      pointers.reserveCapacity(strings.count + 1)
      for string in strings {
        pointers.append(bytes.baseAddress.map { ($0 + offset).assumingMemoryBound(to: CChar.self) })
        offset += string.count + 1
      }
      pointers.append(nil)
      return pointers.withUnsafeBufferPointer { list in
        // The list holds at least the final null, so that it has an address.
        body(list.baseAddress.unsafelyUnwrapped)
      }
    }
  }
}
