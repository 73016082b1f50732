import PoolModel

/// The stored part of one operation: numbers, and the places of its texts in its line.
///
/// A manifest of a million lines has a million of these; a test asserts their size of 48 bytes.
package struct ManifestRow {
  /// Offset of the line in the text.
  var start: Int
  /// Nanoseconds; 0 for none.
  var timeout: Int64 = 0
  /// Bytes of the line; the limit on lines keeps it far below four gigabytes.
  var length: UInt32
  /// The physical line, from 1.
  var line: UInt32
  var id = TextSpan()
  var name = TextSpan()
  /// Extra attempts; -1 if none were given.
  var retries: Int32 = -1
  /// Index of the kind's name.
  var kind: UInt16 = 0
  var traits = Traits()

  /// Priority, quality of service and action, in bits.
  struct Traits {
    private var bits: UInt16 = 0

    /// Bits 0 to 2.
    var level: UInt16 {
      get { bits & 7 }
      set { bits = bits & ~7 | newValue }
    }

    /// Bits 3 to 5: the place among all classes.
    var qualityOfService: UInt16 {
      get { bits >> 3 & 7 }
      set { bits = bits & ~(7 << 3) | newValue << 3 }
    }

    /// Bits 6 and 7.
    var action: ManifestAction {
      get { ManifestAction(rawValue: UInt8(bits >> 6 & 3)) ?? .none }
      set { bits = bits & ~(3 << 6) | UInt16(newValue.rawValue) << 6 }
    }

    /// Bit 8.
    var isBarrier: Bool {
      get { bits & 1 << 8 != 0 }
      set { bits = bits & ~(1 << 8) | (newValue ? 1 << 8 : 0) }
    }

    /// Bit 9.
    var isIdempotent: Bool {
      get { bits & 1 << 9 != 0 }
      set { bits = bits & ~(1 << 9) | (newValue ? 1 << 9 : 0) }
    }
  }
}

/// The field with the action of an operation.
enum ManifestAction: UInt8 {
  case none
  case run
  case shell
  case kind
}

/// The place of a JSON string's content in its line: 31 bits of offset and one for escapes, 32 of
/// length.
package struct TextSpan {
  private var packedOffset: UInt32 = 0
  /// Bytes between the quotes.
  private(set) var count: UInt32 = 0

  /// No string; differs from every real span, because a quote precedes that.
  init() {}

  init(_ range: Range<Int>, hasEscapes: Bool) {
    packedOffset = UInt32(range.lowerBound) << 1 | (hasEscapes ? 1 : 0)
    count = UInt32(range.count)
  }

  var isNone: Bool { packedOffset == 0 }
  var hasEscapes: Bool { packedOffset & 1 == 1 }

  var range: Range<Int> {
    let start = Int(packedOffset >> 1)
    return start..<start + Int(count)
  }
}
