import PoolContents

/// The beginning of an output.
package struct OutputExcerpt: Hashable, Sendable {
  /// Maximum length in bytes.
  package static let limit = OutputContent.prefixLimit

  /// The first bytes, at most ``limit``; nil if they are not known any more.
  ///
  /// A truncated output does not end within a character.
  package private(set) var bytes: [UInt8]?
  /// Length of the whole output in bytes.
  package private(set) var byteCount: Int64

  /// Makes an excerpt from the start of an output of `byteCount` bytes.
  package init(_ start: some Collection<UInt8> = [], byteCount: Int64? = nil) {
    let byteCount = byteCount ?? Int64(start.count)
    let bytes = Array(start.prefix(Self.limit))
    self.byteCount = byteCount
    self.bytes = byteCount > bytes.count ? Self.withoutPartialCharacter(bytes) : bytes
  }

  /// Makes an excerpt of an output of an earlier run; the journal has kept `content` of it.
  init(kept content: OutputContent, byteCount: Int64) {
    self.init(content.prefix, byteCount: byteCount)
    if content.byteCount == 0, byteCount > 0 { bytes = nil }
  }

  /// Removes a partial character at the end, which would turn the text into base64.
  private static func withoutPartialCharacter(_ start: [UInt8]) -> [UInt8] {
    var bytes = start
    let continuations = bytes.suffix(3).reversed().prefix { $0 & 0xC0 == 0x80 }.count
    guard bytes.count > continuations else { return bytes }
    let lead = bytes.count - continuations - 1
    let expected = (~bytes[lead]).leadingZeroBitCount
    if expected > continuations + 1, expected <= 4 { bytes.removeSubrange(lead...) }
    return bytes
  }
}
