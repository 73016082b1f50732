import PoolModel

/// A short text that is built from its end, in the caller's memory.
///
/// Dividing by a constant gives the last digit first, so numbers are built backwards; the text
/// before them follows, and `JSONWriter` appends all of it at once.
struct ReverseJSONWriter {
  /// More bytes than a frame about an operation takes without payload or result.
  static let room = 128

  private let buffer: UnsafeMutableBufferPointer<UInt8>
  private var start: Int

  init(_ buffer: UnsafeMutableBufferPointer<UInt8>) {
    self.buffer = buffer
    start = buffer.count
  }

  /// The text so far.
  var content: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: buffer[start...]) }

  @inline(__always)
  mutating func prepend(_ byte: UInt8) {
    start -= 1
    buffer.initializeElement(at: start, to: byte)
  }

  @inline(__always)
  mutating func prepend(number: some FixedWidthInteger) {
    prepend(decimal: UInt64(number.magnitude), isNegative: number < 0)
  }

  @inline(__always)
  mutating func prepend(decimal value: UInt64, isNegative: Bool) {
    var rest = value
    while rest >= 100 {
      prependPair(rest % 100)
      rest /= 100
    }
    if rest >= 10 { prependPair(rest) } else { prepend(UInt8(ascii: "0") + UInt8(rest)) }
    if isNegative { prepend(.minus) }
  }

  /// Prepends a number below a million with all its six digits.
  @inline(__always)
  mutating func prepend(sixDigits value: UInt64) {
    prependPair(value % 100)
    prependPair(value / 100 % 100)
    prependPair(value / 10_000)
  }

  /// Prepends a number of seconds with microseconds.
  @inline(__always)
  mutating func prepend(seconds nanoseconds: Int64) {
    let micros = UInt64((nanoseconds / 1_000).magnitude)
    prepend(sixDigits: micros % 1_000_000)
    prepend(UInt8(ascii: "."))
    prepend(decimal: micros / 1_000_000, isNegative: nanoseconds < 0 && micros > 0)
  }

  /// Prepends two digits, which halves the number of divisions.
  @inline(__always)
  private mutating func prependPair(_ value: UInt64) {
    let pair = Self.pairs.utf8Start + Int(value) * 2
    prepend(UnsafeBufferPointer(start: pair, count: 2))
  }

  private static let pairs: StaticString =
    """
    00010203040506070809101112131415161718192021222324252627282930313233343536373839\
    40414243444546474849505152535455565758596061626364656667686970717273747576777879\
    8081828384858687888990919293949596979899
    """

  @inline(__always)
  mutating func prepend(_ text: StaticString) {
    prepend(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  @inline(__always)
  mutating func prepend(_ bytes: UnsafeBufferPointer<UInt8>) {
    start -= bytes.count
    precondition(start >= 0, "there is room for the whole text")
    // Without a slice, which would make a call of a few moves of known length.
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

extension ReverseJSONWriter {
  /// Prepends the escape of a byte that a string must escape.
  @inline(__always)
  mutating func prepend(escaped byte: UInt8) {
    switch byte {
    case .newline: prepend(UInt8(ascii: "n"))
    case .tab: prepend(UInt8(ascii: "t"))
    case .carriageReturn: prepend(UInt8(ascii: "r"))
    case .quote, .backslash: prepend(byte)
    default:
      let (high, low) = (byte >> 4, byte & 15)
      prepend(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") - 10 + low)
      prepend(UInt8(ascii: "0") + high)
      prepend("u00")
    }
    prepend(.backslash)
  }

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

  /// Prepends a frame: its length, those fields, and the rest.
  @inline(__always)
  mutating func prepend(
    frame type: StaticString,
    _ reference: DispatchReference,
    _ rest: (inout Self) -> Void
  ) {
    let end = start
    prepend("}\n")
    rest(&self)
    prepend(header: type, reference)
    prepend(.openBrace)
    let count = UInt32(end - start).bigEndian
    start -= Frame.headerLength
    precondition(start >= 0, "there is room for the whole text")
    UnsafeMutableRawBufferPointer(buffer).storeBytes(
      of: count,
      toByteOffset: start,
      as: UInt32.self
    )
  }
}
