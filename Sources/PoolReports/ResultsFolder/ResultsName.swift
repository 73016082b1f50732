import PoolJournal
import PoolWire

/// The name of a folder for an input, or for an id: as GNU parallel writes it, and safe.
///
/// No two texts have the same name. A backslash of the text becomes two, so that a single one
/// begins an escape.
enum ResultsName {
  /// Maximum number of bytes of a name on most file systems.
  static let limit = 255

  /// The name for a text.
  ///
  /// As in GNU parallel, tab, NUL, backslash and slash become `\t`, `\0`, `\\` and `\_`. What it
  /// would give no folder of its own gets one: `\.` and `\..` for `.` and `..`, `\empty` for
  /// nothing, and a long name the hash of its text for its end.
  static func name(of text: [UInt8]) -> [UInt8] {
    switch text {
    case []: Array(#"\empty"#.utf8)
    case Array(".".utf8), Array("..".utf8): Array(#"\"#.utf8) + text
    default: bounded(escaped(text))
    }
  }

  /// The name for a text that an operation with a lower number also has, such as `a\#2`.
  static func name(of text: [UInt8], again number: Int) -> [UInt8] {
    bounded(name(of: text) + Array("\\#\(number)".utf8))
  }

  private static func escaped(_ text: [UInt8]) -> [UInt8] {
    var name: [UInt8] = []
    name.reserveCapacity(text.count)
    for byte in text {
      switch byte {
      case UInt8(ascii: "\\"): name += Array(#"\\"#.utf8)
      case UInt8(ascii: "\t"): name += Array(#"\t"#.utf8)
      case UInt8(ascii: "/"): name += Array(#"\_"#.utf8)
      case 0: name += Array(#"\0"#.utf8)
      default: name.append(byte)
      }
    }
    return name
  }

  /// The name; the end of one that is too long is replaced by a hash of all of it.
  private static func bounded(_ name: [UInt8]) -> [UInt8] {
    guard name.count > limit else { return name }
    let tail = Array(#"\~"#.utf8) + SHA256.digest(of: name).hex.prefix(32)
    var end = limit - tail.count
    // Not within a character of UTF-8, which has at most three further bytes.
    for _ in 0..<3 where name[end] & 0xC0 == 0x80 { end -= 1 }
    return Array(name[..<end]) + tail
  }
}
