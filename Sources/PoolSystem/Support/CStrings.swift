extension [UInt8] {
  /// Passes the bytes, with a final zero, to the closure; they must not contain a zero.
  func withCString<Value>(_ body: (UnsafePointer<CChar>) -> Value) -> Value {
    (self + [0]).withUnsafeBytes { bytes in
      // The array has at least the final zero, so that it has an address.
      let start = bytes.baseAddress.unsafelyUnwrapped
      return body(start.assumingMemoryBound(to: CChar.self))
    }
  }
}

/// A list of strings in C's form: each with a final zero, one after the other.
struct CStringList: Hashable, Sendable {
  private var text: [UInt8] = []
  private var starts: [Int] = []
  /// The first string that contained a zero, up to the zero: C would take that for the whole.
  private(set) var cut: [UInt8]?

  init(_ strings: some Sequence<[UInt8]> = []) {
    for string in strings { append(string) }
  }

  /// Adds a string at the end.
  mutating func append(_ string: some Collection<UInt8>) {
    starts.append(text.count)
    text.append(contentsOf: string)
    text.append(0)
    if cut == nil, string.contains(0) { cut = Array(string.prefix { $0 != 0 }) }
  }

  /// The strings, without their zeros.
  var strings: [ArraySlice<UInt8>] {
    zip(starts, starts.dropFirst() + [text.count]).map { text[$0..<$1 - 1] }
  }

  /// Passes the list as pointers, with a final null pointer, to the closure.
  func withPointers<Value>(
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Value
  ) -> Value {
    text.withUnsafeBytes { bytes in
      // C's type does not say so, but no code writes through these.
      let start = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
      var pointers = starts.map { offset in
        start.map { ($0 + offset).assumingMemoryBound(to: CChar.self) }
      }
      pointers.append(nil)
      return pointers.withUnsafeBufferPointer { list in
        // The list has at least the final null, so that it has an address.
        body(list.baseAddress.unsafelyUnwrapped)
      }
    }
  }
}
