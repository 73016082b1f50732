/// Collects the pieces of a line, in which words with inputs may have to be repeated.
struct LinePieces {
  /// Whether words with inputs are repeated for each field.
  private let repeatsWords: Bool
  private var line = PieceBuilder()
  /// The word that has begun.
  private var word = PieceBuilder()
  /// Whether a substitution is a part of the word.
  private var hasSubstitution = false

  init(repeatsWords: Bool) {
    self.repeatsWords = repeatsWords
  }

  /// Appends a byte that is passed next in its context.
  ///
  /// Throws if it makes a word with an input one that cannot be repeated as a whole.
  mutating func append(_ byte: UInt8, in context: ShellContext) throws(UsageError) {
    // Behind it, nothing ends a word.
    if repeatsWords, word.hasInput, context.part(byte) == .unknown { throw Self.unrepeatable }
    let border = repeatsWords ? context.border(before: byte) : nil
    guard let border else { return word.append(byte) }
    if border == .substitution, word.hasInput { throw Self.unrepeatable }
    endWord()
    line.append(byte)
    hasSubstitution = border == .end
  }

  mutating func append(
    _ placeholder: Placeholder,
    _ quoting: ShellContext.Quoting
  ) throws(UsageError) {
    if hasSubstitution, placeholder.subject == .all { throw Self.unrepeatable }
    word.append(inLine: placeholder, quoting)
  }

  mutating func finish() -> [TemplatePiece] {
    endWord()
    return line.finish()
  }

  private mutating func endWord() {
    let pieces = word.finish()
    line.append(contentsOf: repeatsWords ? pieces.repeatedForFields : pieces)
  }

  private static var unrepeatable: UsageError {
    UsageError(
      "a word with an input and a substitution cannot be repeated for each input",
      hint: "put the substitution into a variable, or write -n or -m",
      topic: .map
    )
  }
}

extension ShellContext {
  /// What lies between two words of a line.
  enum Border {
    /// Blanks and the signs of the grammar.
    case plain
    /// The `(` of a substitution, around which the word goes on.
    case substitution
    /// A `)`, behind which the word around a substitution may go on.
    case end
  }

  /// The border that a byte is; nil for a part of a word.
  func border(before byte: UInt8) -> Border? {
    guard isCertain else { return nil }
    if byte == UInt8(ascii: "("), isAfterDollar { return .substitution }
    guard quoting == .none, refusal == nil else { return nil }
    if byte == UInt8(ascii: ")") { return .end }
    return " \t\n;&|<>(".utf8.contains(byte) ? .plain : nil
  }
}
