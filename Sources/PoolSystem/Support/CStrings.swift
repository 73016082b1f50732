#if canImport(Darwin)
import Darwin
#else
import Glibc
import PoolModel
#endif

extension [UInt8] {
  /// Passes the bytes, with a final zero, to the closure; they must not contain a zero.
  func withCString<Value, Failure: Error>(
    _ body: (UnsafePointer<CChar>) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try (self + [0]).withBytes { bytes throws(Failure) in
      // The array has at least the final zero, so that it has an address.
      let start = bytes.baseAddress.unsafelyUnwrapped
      return try body(start.assumingMemoryBound(to: CChar.self))
    }
  }
}

/// A list of strings in C's form: each with a final zero, one after the other.
package struct CStringList: Hashable, Sendable {
  private var text: [UInt8] = []
  private var starts: [Int] = []
  /// The index of the first string that contains a zero.
  private var firstCut: Int?

  /// Makes a list of these strings.
  package init(_ strings: [[UInt8]] = []) {
    text.reserveCapacity(strings.reduce(0) { $0 + $1.count + 1 })
    starts.reserveCapacity(strings.count)
    for string in strings { append(string) }
  }

  /// Number of strings.
  var count: Int { starts.count }

  /// The first string that contains a zero, up to the zero: C would take that for the whole.
  var cut: [UInt8]? {
    firstCut.map { Array(text[starts[$0]...].prefix { $0 != 0 }) }
  }

  /// Adds a string at the end.
  mutating func append(_ string: some Collection<UInt8>) {
    beginString()
    text.append(contentsOf: string)
    endString()
  }

  /// Adds `NAME=VALUE` at the end, without a copy of its own.
  mutating func append(
    _ name: UnsafeBufferPointer<UInt8>,
    equals value: UnsafeBufferPointer<UInt8>
  ) {
    beginString()
    text.append(contentsOf: name)
    text.append(UInt8(ascii: "="))
    text.append(contentsOf: value)
    endString()
  }

  private mutating func beginString() { starts.append(text.count) }

  private mutating func endString() {
    let start = starts[starts.count - 1]
    text.append(0)
    let visible = text.withUnsafeBytes { bytes in
      bytes.baseAddress.map { strlen(($0 + start).assumingMemoryBound(to: CChar.self)) } ?? 0
    }
    if firstCut == nil, start + visible + 1 < text.count { firstCut = starts.count - 1 }
  }

  /// Removes the strings behind the first so many, and keeps the memory.
  mutating func keep(first count: Int) {
    guard count < starts.count else { return }
    text.removeLast(text.count - starts[count])
    starts.removeLast(starts.count - count)
    if let cut = firstCut, cut >= count { firstCut = nil }
  }

  /// The strings, without their zeros.
  var strings: [ArraySlice<UInt8>] {
    zip(starts, starts.dropFirst() + [text.count]).map { text[$0..<$1 - 1] }
  }

  /// Passes the list as pointers, with a final null pointer, to the closure.
  package func withPointers<Value>(
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Value
  ) -> Value {
    text.withUnsafeBytes { bytes in
      // C's type does not say so, but no code writes through these.
      let start = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
      return withUnsafeTemporaryAllocation(
        of: UnsafeMutablePointer<CChar>?.self,
        capacity: starts.count + 1
      ) { list in
        for (index, offset) in starts.enumerated() {
          list.initializeElement(
            at: index,
            to: start.map { ($0 + offset).assumingMemoryBound(to: CChar.self) }
          )
        }
        list.initializeElement(at: starts.count, to: nil)
        // The list has at least the final null, so that it has an address.
        return body(UnsafePointer(list.baseAddress.unsafelyUnwrapped))
      }
    }
  }
}
