/// A JSON text and its large parts, which are beside it as bytes.
///
/// In the text, each part is a `null`; a table outside the text says where it is and what it stands
/// for. A packed value begins with a zero byte, which no JSON text does, so that the two can be
/// told apart. `Protocol/README.md` describes the layout.
package struct PackedValue: Sendable {
  /// A part and its `null` in the text.
  struct Part {
    /// The offset of its `null` in the text.
    var offset: Int
    var type: PackedType
    /// The range of its bytes in the packed value.
    var range: Range<Int>
  }

  /// Arrays and strings of fewer bytes stay in the text: 4 KiB.
  ///
  /// So a packed value is always too large to be written as part of a usual frame.
  package static let threshold = 4 << 10
  /// The largest packed value: 1 GiB.
  package static let limit = 1 << 30
  /// Maximum number of parts; arrays and strings beyond it stay in the text.
  static let partLimit = 4_096
  static let headerSize = 16
  static let entrySize = 24
  static let layout: UInt8 = 1

  let bytes: [UInt8]
  let text: Range<Int>
  let parts: [Part]

  /// Whether the bytes are a packed value rather than JSON.
  @inline(__always)
  package static func isPacked(_ bytes: [UInt8]) -> Bool { bytes.first == 0 }

  /// Reads the table; throws unless it describes exactly these bytes.
  package init(_ bytes: [UInt8]) throws(PackedError) {
    guard bytes.count >= Self.headerSize, bytes[0] == 0, bytes[1] == Self.layout else {
      throw PackedError("it has no header of layout \(Self.layout)")
    }
    let count = Int(Self.number(UInt32.self, in: bytes, at: 4))
    guard count <= Self.partLimit, bytes.count - Self.headerSize >= count * Self.entrySize else {
      throw PackedError("its table of \(count) parts is too long")
    }
    let start = Self.headerSize + count * Self.entrySize
    let length = Self.number(UInt64.self, in: bytes, at: 8)
    guard length <= UInt64(bytes.count - start) else {
      throw PackedError("its text of \(length) bytes is longer than what there is")
    }
    text = start..<(start + Int(length))
    self.bytes = bytes
    parts = try Self.parts(count, in: bytes, from: text.upperBound, textLength: text.count)
  }

  private static func parts(
    _ count: Int,
    in bytes: [UInt8],
    from start: Int,
    textLength: Int
  ) throws(PackedError) -> [Part] {
    var (parts, end, offset) = ([Part](), start, -1)
    for index in 0..<count {
      let place = headerSize + index * entrySize
      let at = number(UInt64.self, in: bytes, at: place)
      let size = number(UInt64.self, in: bytes, at: place + 8)
      guard at < UInt64(textLength), Int(at) > offset else {
        throw PackedError("part \(index) is at byte \(at) of the text, out of order or beyond it")
      }
      guard size <= UInt64(bytes.count - end) else {
        throw PackedError("part \(index) of \(size) bytes is longer than what there is")
      }
      guard let type = PackedType(bytes[place + 16..<place + 24]),
        Int(size).isMultiple(of: Int(type.width))
      else { throw PackedError("part \(index) has no known type, or no whole number of elements") }
      offset = Int(at)
      parts.append(Part(offset: offset, type: type, range: end..<end + Int(size)))
      end += Int(size)
    }
    guard end == bytes.count else {
      throw PackedError("\(bytes.count - end) bytes behind its parts belong to none")
    }
    return parts
  }

  static func number<Number: FixedWidthInteger>(
    _ type: Number.Type,
    in bytes: [UInt8],
    at offset: Int
  ) -> Number {
    bytes.withUnsafeBytes {
      Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self))
    }
  }
}

/// Why bytes are not a packed value, as the end of a sentence.
package struct PackedError: Error, Hashable, CustomStringConvertible {
  package let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// The type of a part's elements, and their bytes.
struct PackedType: Hashable, Sendable {
  enum Form: UInt8 {
    case unsigned = 1
    case signed = 2
    case float = 3
    /// In the text, a string of base64.
    case bytes = 4
    /// In the text, a string.
    case text = 5
  }

  var form: Form
  /// Bytes of each element.
  var width: UInt8
  var isBigEndian = PackedType.isHostBigEndian

  static let isHostBigEndian = 1.bigEndian == 1

  init(_ form: Form, width: Int) {
    self.form = form
    self.width = UInt8(width)
    // One byte has no byte order.
    if width == 1 { isBigEndian = false }
  }

  /// The type from eight bytes of a table; nil if they describe none.
  init?(_ bytes: ArraySlice<UInt8>) {
    let bytes = Array(bytes)
    guard let form = Form(rawValue: bytes[0]), bytes[2] <= 1, bytes[3...].allSatisfy({ $0 == 0 })
    else { return nil }
    let widths: [UInt8] =
      switch form {
      case .unsigned, .signed: [1, 2, 4, 8]
      case .float: [4, 8]
      case .bytes, .text: [1]
      }
    guard widths.contains(bytes[1]), bytes[1] > 1 || bytes[2] == 0 else { return nil }
    self.form = form
    width = bytes[1]
    isBigEndian = bytes[2] == 1
  }

  /// The eight bytes of a table.
  var bytes: [UInt8] { [form.rawValue, width, isBigEndian ? 1 : 0, 0, 0, 0, 0, 0] }

  /// Whether the text would have an array of numbers; else a string.
  var isNumbers: Bool { form != .bytes && form != .text }
}
