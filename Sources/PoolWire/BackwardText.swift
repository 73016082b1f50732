import PoolModel

/// A few bytes put together from their end, in memory of the caller's.
///
/// Dividing by a constant gives the last digit first, so a number is written backwards; what stands
/// before it follows, and the writer appends all of it at once.
struct BackwardText {
  /// More than any header and frame around it take, but for the type.
  static let room = 128

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
    prepend(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  @inline(__always)
  mutating func prepend(_ bytes: UnsafeBufferPointer<UInt8>) {
    start -= bytes.count
    precondition(start >= 0, "there is room for the whole text")
    // A slice would be a call of its own, for what are a few moves where the length is known.
    guard let base = buffer.baseAddress, let source = bytes.baseAddress else { return }
    (base + start).initialize(from: source, count: bytes.count)
  }

  @inline(__always)
  mutating func prepend(quoted text: StaticString) {
    prepend(.quote)
    prepend(text)
    prepend(.quote)
  }
}

extension BackwardText {
  /// Prepends the fields that all messages about an operation begin with.
  @inline(__always)
  mutating func prepend(header type: StaticString, _ reference: DispatchReference) {
    prepend(decimal: reference.dispatch.rawValue, isNegative: false)
    prepend(",\"dispatch\":")
    prepend(decimal: reference.operation.rawValue, isNegative: false)
    prepend(",\"operation\":")
    prepend(quoted: type)
    prepend("\"type\":")
  }

  /// Prepends what a frame begins with: its length, and the brace of its object.
  @inline(__always)
  mutating func prependFrameStart() {
    prepend(.openBrace)
    var count = UInt32(buffer.count - start)
    for _ in 0..<Frame.headerLength {
      prepend(UInt8(truncatingIfNeeded: count))
      count >>= 8
    }
  }
}
