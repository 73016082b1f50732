/// A few bytes put together from their end, in memory of the caller's.
///
/// Dividing by a constant gives the last digit first, so a number is written backwards; what stands
/// before it follows, and the writer appends all of it at once.
struct BackwardText {
  private let buffer: UnsafeMutableBufferPointer<UInt8>
  private var start: Int

  init(_ buffer: UnsafeMutableBufferPointer<UInt8>) {
    self.buffer = buffer
    start = buffer.count
  }

  /// What was put together.
  var content: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: buffer[start...]) }

  @inline(__always)
  mutating func prepend(_ byte: UInt8) {
    start -= 1
    buffer.initializeElement(at: start, to: byte)
  }

  @inline(__always)
  mutating func prepend(decimal value: UInt64, isNegative: Bool) {
    var rest = value
    repeat {
      prepend(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    if isNegative { prepend(.minus) }
  }

  @inline(__always)
  mutating func prepend(_ text: StaticString) {
    start -= text.utf8CodeUnitCount
    let source = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    _ = buffer[start...].initialize(fromContentsOf: source)
  }

  @inline(__always)
  mutating func prepend(quoted text: StaticString) {
    prepend(.quote)
    prepend(text)
    prepend(.quote)
  }
}
