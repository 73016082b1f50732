/// How long the commands of a template become at most.
///
/// A field that a repeated word names by its position is counted once. Words count with the NUL, or
/// the blank, behind each.
package struct CommandSize {
  /// A use of inputs in the command.
  struct Use {
    var placeholder: Placeholder
    var quoting: ShellContext.Quoting
    /// Number of bytes that each field but the first adds beside its own.
    var separator: Int
    /// Whether it is in a word that is repeated.
    var isRepeated = false
  }

  /// As long as a number is taken to be.
  fileprivate static let number = Array("4000000000".utf8)[...]

  /// Number of bytes without any field.
  package let base: Int
  private let uses: [Use]

  init(base: Int, uses: [Use]) {
    self.base = base
    self.uses = uses
  }

  /// Number of bytes that more fields add, after this number of fields.
  package func growth(by fields: [[UInt8]], from count: Int) -> Int {
    var growth = 0
    for (index, field) in fields.enumerated() {
      for use in uses { growth += use.byteCount(of: field, at: count + index) }
    }
    return growth
  }
}

extension CommandSize.Use {
  fileprivate func byteCount(of field: [UInt8], at index: Int) -> Int {
    switch placeholder.subject {
    case .number, .slot: return index == 0 || isRepeated ? byteCount(of: CommandSize.number) : 0
    case .field(let position) where position > 0 && position != index + 1: return 0
    case .field, .all:
      return byteCount(of: placeholder.part.of(field[...])) + (index > 0 ? separator : 0)
    }
  }

  private func byteCount(of value: ArraySlice<UInt8>) -> Int {
    var text: [UInt8] = []
    quoting.append(value, to: &text)
    return text.count
  }
}
