import PoolWire

/// Packed values that are made by hand, from `Protocol/README.md` alone.
struct PackedSample {
  /// A part of one.
  struct Part {
    var offset: Int
    var content: [UInt8]
    var form: UInt8
    var width: UInt8 = 1
    var order: UInt8 = 0
  }

  var text: String
  var parts: [Part]

  var bytes: [UInt8] {
    var bytes: [UInt8] = [0, 1, 0, 0] + number(parts.count, 4) + number(text.utf8.count, 8)
    for part in parts {
      bytes += number(part.offset, 8) + number(part.content.count, 8)
      bytes += [part.form, part.width, part.order, 0, 0, 0, 0, 0]
    }
    return bytes + text.utf8 + parts.flatMap(\.content)
  }

  private func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// One with a part of each form, in both orders.
  static let example = PackedSample(
    text: #"{"a":null,"b":[null,null],"c":null,"d":null,"e":null}"#,
    parts: [
      Part(offset: 5, content: [1, 0, 0x34, 0x12], form: 1, width: 2),
      Part(offset: 15, content: [0xFF, 0xFE, 0, 5], form: 2, width: 2, order: 1),
      Part(offset: 20, content: [0x80, 0x7F], form: 2),
      Part(offset: 30, content: [0, 0, 0, 0, 0, 0, 0xF8, 0x3F], form: 3, width: 8),
      Part(offset: 39, content: [0xFB, 0xFF], form: 4),
      Part(offset: 48, content: Array("é\"\n".utf8), form: 5),
    ]
  )

  /// What it stands for.
  static let exampleJSON =
    #"{"a":[1,4660],"b":[[-2,5],[-128,127]],"c":[1.5],"d":"+/8=","e":"é\"\n"}"#

  static let all = example.bytes
}
