import Foundation

/// Frames with an operation's numbers in them, written with as little work as can be.
struct BareFrames {
  private var bytes: [UInt8] = []

  /// Appends a frame whose body has the two numbers between three pieces of text.
  mutating func append(_ head: StaticString, _ numbers: Numbers, _ tail: StaticString) {
    let start = bytes.count
    for _ in 0..<4 { bytes.append(0) }
    append(head)
    append(numbers.operation)
    append(#","dispatch":"#)
    append(numbers.dispatch)
    append(tail)
    let count = bytes.count - start - 4
    for place in 0..<4 {
      bytes[start + place] = UInt8(truncatingIfNeeded: count >> (24 - 8 * place))
    }
  }

  /// Writes everything, and starts anew.
  mutating func send(_ descriptor: Int32) {
    guard !bytes.isEmpty else { return }
    bytes.withUnsafeBytes { all in
      var rest = all[...]
      while !rest.isEmpty {
        let chunk = UnsafeRawBufferPointer(rebasing: rest)
        let count = write(descriptor, chunk.baseAddress, chunk.count)
        precondition(count > 0, "the other side reads until it was told everything")
        rest = rest.dropFirst(count)
      }
    }
    bytes.removeAll(keepingCapacity: true)
  }

  private mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  private mutating func append(_ number: Int) {
    var divisor = 1
    while number / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      bytes.append(UInt8(48 + number / divisor % 10))
      divisor /= 10
    }
  }

  /// What tells one execution from all others.
  struct Numbers {
    var operation: Int
    var dispatch: Int

    init(operation: Int, dispatch: Int) {
      self.operation = operation
      self.dispatch = dispatch
    }

    /// Reads them from a frame's body, which has them behind a piece of text of a known length.
    init(in body: UnsafeRawBufferPointer, after head: Int) {
      var place = head
      operation = Self.digits(body, &place)
      place += #","dispatch":"#.utf8.count
      dispatch = Self.digits(body, &place)
    }

    private static func digits(_ body: UnsafeRawBufferPointer, _ place: inout Int) -> Int {
      var number = 0
      while body[place] >= 48 && body[place] <= 57 {
        number = number * 10 + Int(body[place]) - 48
        place += 1
      }
      return number
    }
  }
}

/// Frames as they come from a descriptor.
final class BareReader {
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 16)
  private var filled = 0

  deinit { buffer.deallocate() }

  /// Reads once, and hands out the body of each whole frame; false at the end.
  func read(_ descriptor: Int32, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    let room = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
    let count = Foundation.read(descriptor, room.baseAddress, room.count)
    guard count > 0 else { return false }
    filled += count
    var start = 0
    while let end = endOfFrame(at: start) {
      body(UnsafeRawBufferPointer(rebasing: buffer[start + 4..<end]))
      start = end
    }
    buffer.copyBytes(from: buffer[start..<filled])
    filled -= start
    return true
  }

  private func endOfFrame(at start: Int) -> Int? {
    guard filled - start >= 4 else { return nil }
    let count = buffer[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
    return filled - start - 4 >= count ? start + 4 + count : nil
  }
}
