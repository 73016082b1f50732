/// Whether the last line of the error stream has no line feed yet, so that a message of opool would
/// begin within it.
struct OpenLine: Hashable, Sendable {
  /// Whether an output or a message has left the last line open.
  private(set) var isOpen = false
  /// Whether the last text came from opool itself.
  private var isMessageLast = false

  /// Whether a message must start with a line feed, because an output has left its line open.
  var needsLineFeed: Bool { isOpen && !isMessageLast }

  /// Notes the last byte of a text; nil for an empty one.
  mutating func wrote(_ last: UInt8?, isMessage: Bool = false) {
    guard let last else { return }
    isOpen = last != UInt8(ascii: "\n")
    isMessageLast = isMessage
  }
}
