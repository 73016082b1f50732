// What the bytes of a line are to the shell.

extension ShellContext {
  /// What a byte of a line is to the shell.
  enum Part: Hashable {
    /// A byte of a word, which is special to no shell if it is quoted.
    case text(isQuoted: Bool)
    /// A quote, or a backslash, which the shell removes.
    case quote
    /// The sign or the name of a variable that the shell puts in.
    case expansion
    case blank
    /// Ends a simple command, like `;`.
    case separator
    /// `<` or `>`, which a file follows.
    case redirection
    /// The parenthesis of a subshell.
    case subshell
    /// The parenthesis of a `$(…)` or `<(…)`, which is a part of a word.
    case substitution
    /// A parenthesis that ends either, or a pattern of a `case`.
    case closing
    case comment
    /// A byte of `((…))` in a word.
    case calculation
    /// `[` behind a name, where a calculation may follow.
    case `subscript`
    /// No one knows.
    case unknown
  }

  /// What a byte is that comes next.
  func part(_ byte: UInt8) -> Part {
    if lostBecause != nil { return arithmeticDepth > 0 ? .calculation : .unknown }
    if isComment { return byte == UInt8(ascii: "\n") ? .separator : .comment }
    if isEscaped { return byte == UInt8(ascii: "\n") ? .unknown : .text(isQuoted: true) }
    if enclosures.last == .parameter {
      return byte == UInt8(ascii: "}") || Self.isPartOfName(byte) ? .expansion : .unknown
    }
    if isAfterDollar, let part = partAfterDollar(byte) { return part }
    switch quoting {
    case .single: return byte == UInt8(ascii: "'") ? .quote : .text(isQuoted: true)
    case .double: return partInDoubleQuotes(byte)
    case .none, .verbatim: return unquotedPart(byte)
    }
  }

  /// Nil if the dollar is only a dollar.
  private func partAfterDollar(_ byte: UInt8) -> Part? {
    switch byte {
    case UInt8(ascii: "("): .substitution
    case UInt8(ascii: "["): .unknown
    case UInt8(ascii: "'") where quoting == .none: .unknown
    case _ where Self.isPartOfName(byte) || "{?#$!@*-".utf8.contains(byte): .expansion
    default: nil
    }
  }

  private func partInDoubleQuotes(_ byte: UInt8) -> Part {
    switch byte {
    case UInt8(ascii: "\""): .quote
    case UInt8(ascii: "$"): .expansion
    case UInt8(ascii: "`"): .unknown
    // The shell keeps most backslashes.
    default: .text(isQuoted: true)
    }
  }

  private func unquotedPart(_ byte: UInt8) -> Part {
    switch byte {
    case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "\\"): .quote
    case UInt8(ascii: "$"): .expansion
    case UInt8(ascii: "`"): .unknown
    case UInt8(ascii: "#") where isWordStart: .comment
    case UInt8(ascii: "<") where previous == byte: .unknown
    case UInt8(ascii: "[") where previous == byte && calculatesInBrackets: .unknown
    case UInt8(ascii: "[") where isName: .subscript
    case UInt8(ascii: "<"), UInt8(ascii: ">"): .redirection
    case UInt8(ascii: "("): parenthesis
    case UInt8(ascii: ")"): .closing
    case UInt8(ascii: ";"), UInt8(ascii: "&"), UInt8(ascii: "|"), UInt8(ascii: "\n"): .separator
    default: ShellWords.isBlank(byte) ? .blank : .text(isQuoted: false)
    }
  }

  /// What an opening one is.
  private var parenthesis: Part {
    if previous == UInt8(ascii: "(") {
      return enclosures.last == .substitution(0) ? .calculation : .unknown
    }
    if "<>".utf8.contains(previous) { return .substitution }
    return isWordStart ? .subshell : .unknown
  }
}
