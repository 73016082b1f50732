/// Breaks what GitHub's runner would take for a command of its own in text of others: `::name::` at
/// the start of a line, and `##[name]` anywhere in one.
///
/// A space goes between the characters. The runner's other means, `::stop-commands::`, does not
/// help here: it holds for both streams of a step, and the runner reads each of them on its own, so
/// that text of one may be read before the command of the other that was to protect it.
///
/// The text may come in pieces. Control characters, and all beyond ASCII, count as if they were not
/// there: the runner trims lines, and compares texts as a language does, which ignores some of
/// these characters.
package struct CommandBreaker {
  /// Whether nothing but spaces and ignored characters is before this in the line.
  private var isAtStart = true
  /// Whether the line has begun with a colon, and nothing else.
  private var hasColon = false
  /// Number of signs `#` just before this, at most 2.
  private var signCount = 0

  /// Returns a piece of text as it may be written.
  mutating func broken(_ piece: UnsafeRawBufferPointer) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(piece.count + 8)
    for byte in piece {
      if endsMark(byte) { text.append(UInt8(ascii: " ")) }
      text.append(byte)
    }
    return text
  }

  /// Notes a byte; returns whether it would complete what begins a command.
  private mutating func endsMark(_ byte: UInt8) -> Bool {
    switch byte {
    // The runner takes each of them for the end of a line.
    case UInt8(ascii: "\n"), UInt8(ascii: "\r"): self = Self()
    case UInt8(ascii: " "): (isAtStart, hasColon, signCount) = (isAtStart && !hasColon, false, 0)
    case ..<0x20, 0x7F...: break
    case UInt8(ascii: ":"):
      defer { (hasColon, signCount) = (isAtStart && !hasColon, 0) }
      guard hasColon else { return false }
      isAtStart = false
      return true
    case UInt8(ascii: "#"):
      (isAtStart, hasColon, signCount) = (false, false, min(signCount + 1, 2))
    default:
      defer { (isAtStart, hasColon, signCount) = (false, false, 0) }
      return byte == UInt8(ascii: "[") && signCount == 2
    }
    return false
  }
}

extension CommandBreaker {
  /// Returns whole lines as they may be written.
  package static func broken(_ lines: String) -> String {
    var breaker = Self()
    return String(decoding: Array(lines.utf8).withUnsafeBytes { breaker.broken($0) }, as: UTF8.self)
  }
}
