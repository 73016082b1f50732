package import PoolSystem

/// Splits an input into columns, and trims white space at the ends of each, like GNU parallel.
package struct ColumnSplitter: Hashable, Sendable {
  private enum Separator: Sendable {
    case byte(UInt8)
    case expression(RegularExpression)
  }

  /// The expression as the user wrote it.
  private let text: [UInt8]
  private let separator: Separator

  /// Parses an extended regular expression, in which `\t`, `\s` and `\d` mean the same as in Perl.
  package init(_ text: [UInt8]) throws(PatternError) {
    self.text = text
    let pattern = try ColumnPattern.extended(text)
    if let byte = ColumnPattern.singleByte(text) {
      separator = .byte(byte)
      return
    }
    let expression = try RegularExpression(pattern)
    if expression.firstMatch(in: []) != nil {
      throw PatternError(reason: "it matches an empty text")
    }
    separator = .expression(expression)
  }

  package static func == (left: Self, right: Self) -> Bool { left.text == right.text }

  package func hash(into hasher: inout Hasher) { hasher.combine(text) }

  /// The columns of an input, at least one.
  package func columns(of input: [UInt8]) -> [[UInt8]] {
    switch separator {
    case .byte(let byte):
      input.split(separator: byte, omittingEmptySubsequences: false).map(Self.trimmed)
    case .expression(let expression): columns(of: input, expression)
    }
  }

  private func columns(of input: [UInt8], _ expression: RegularExpression) -> [[UInt8]] {
    var columns: [[UInt8]] = []
    var rest = input[...]
    while let match = expression.firstMatch(in: rest, isLineStart: columns.isEmpty),
      !match.isEmpty
    {
      columns.append(Self.trimmed(rest[..<match.lowerBound]))
      rest = rest[match.upperBound...]
    }
    return columns + [Self.trimmed(rest)]
  }

  private static func trimmed(_ text: ArraySlice<UInt8>) -> [UInt8] {
    guard let first = text.firstIndex(where: { !isSpace($0) }),
      let last = text.lastIndex(where: { !isSpace($0) })
    else { return [] }
    return Array(text[first...last])
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }
}
