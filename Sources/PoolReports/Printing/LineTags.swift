import PoolModel

/// What the lines of an operation begin with on each stream: its tag and a tab, or nothing.
struct LineTags: Hashable, Sendable {
  var output: [UInt8] = []
  var error: [UInt8] = []

  static let none = Self()

  var isEmpty: Bool { output.isEmpty && error.isEmpty }

  private init() {}

  /// Makes the tags of one operation; for a terminal, the tag is made safe.
  init(_ tag: [UInt8]?, isOutputTerminal: Bool, isErrorTerminal: Bool) {
    guard let tag else { return }
    output = Self.prefix(tag, isSafe: isOutputTerminal)
    error = Self.prefix(tag, isSafe: isErrorTerminal)
  }

  private static func prefix(_ tag: [UInt8], isSafe: Bool) -> [UInt8] {
    (isSafe ? Array(Printable.text(tag).utf8) : tag) + [UInt8(ascii: "\t")]
  }
}
