import PoolModel

/// Inputs and commands as messages show them: safe for a terminal, and truncated if they are long.
package enum MessageExcerpt {
  /// An input: 60 columns of it.
  package static func input(_ bytes: [UInt8]) -> String { text(bytes, width: 60) }

  /// A command: 100 columns of it.
  package static func command(_ bytes: [UInt8]) -> String { text(bytes, width: 100) }

  private static func text(_ bytes: [UInt8], width: Int) -> String {
    // A character has at most four bytes, and its escape at most ten columns.
    DisplayWidth.truncate(Printable.text(bytes.prefix(width * 4)), to: width)
  }
}
