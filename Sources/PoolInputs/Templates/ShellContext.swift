import PoolText

/// Follows a shell line byte by byte, and says how an input can be quoted at a placeholder.
///
/// It knows only what is certain in every `/bin/sh`: plain text, quotes, escapes, comments,
/// `${NAME}` and nested `$(…)`. After anything else (arithmetic, parameter expansions with a text
/// in them, backquotes, here-documents, continued lines) it is *lost*, and refuses every later
/// placeholder. If it is lost too early, the user must write the line differently; if too late, an
/// input could become a command.
package struct ShellContext {
  /// The quoting of the next byte.
  package enum Quoting: Hashable, Sendable {
    /// No shell reads it.
    case verbatim
    case none
    case single
    case double
  }

  /// The constructs around the current place, from the outside to the inside.
  enum Enclosure: Equatable {
    case singleQuotes
    case doubleQuotes
    /// `$(`, with the number of parentheses that are open inside it.
    case substitution(Int)
    /// `${`, while only a name follows.
    case parameter
  }

  private(set) var enclosures: [Enclosure] = []
  /// Why the context is lost; nil while it is certain.
  private(set) var lostBecause: String?
  /// Number of parentheses that are open in `$((…))`; 0 outside.
  private(set) var arithmeticDepth = 0
  /// Whether it has only names, numbers and signs of calculation so far.
  private var isCalculation = false
  private(set) var isWordStart = true
  private(set) var isComment = false
  /// Whether the word so far is a name: behind one, `[` begins a subscript in bash.
  private(set) var isName = false
  private var isSubscript = false
  private(set) var previous: UInt8 = 0
  /// Whether the next byte is escaped by a backslash.
  private(set) var isEscaped = false
  /// Whether the last byte was an unquoted dollar.
  private(set) var isAfterDollar = false

  /// Whether the line may have unbalanced parentheses: the patterns of a `case`.
  private let hasCase: Bool
  /// Whether bash would calculate with a word inside `[[ … ]]`, whatever its quotes.
  let calculatesInBrackets: Bool

  /// Starts at the beginning of a line, which is needed as a whole to look ahead.
  init(line: [UInt8]) {
    hasCase = Self.hasWord("case", in: line)
    calculatesInBrackets = ["eq", "ne", "lt", "le", "gt", "ge", "v"].contains {
      Self.hasWord("-" + $0, in: line)
    }
    // An alias takes effect from the next line on, and may contain a quote.
    if line.contains(UInt8(ascii: "\n")), Self.hasWord("alias", in: line) {
      lostBecause = "in lines with an 'alias'"
    }
  }

  private static func hasWord(_ word: String, in line: [UInt8]) -> Bool {
    let word = Array(word.utf8)
    return line.indices.contains { index in
      let end = index + word.count
      return line[index...].starts(with: word)
        && (index == 0 || !ShellQuoting.isPlain(line[index - 1]))
        && (end == line.count || !ShellQuoting.isPlain(line[end]))
    }
  }

  var quoting: Quoting {
    switch enclosures.last {
    case .singleQuotes: .single
    case .doubleQuotes: .double
    case .substitution, .parameter, nil: .none
    }
  }

  /// Why no input can be put here; nil if one can.
  var refusal: String? {
    if let lostBecause { return lostBecause }
    if isComment { return "in a comment" }
    if isEscaped { return "after a backslash" }
    if isAfterDollar { return "after a '$'" }
    if isSubscript { return "inside a subscript, with which bash calculates" }
    return enclosures.last == .parameter ? "inside '${…}'" : nil
  }

  /// Whether it knows what the next byte means.
  var isCertain: Bool { lostBecause == nil && !isComment && !isEscaped }

  /// Whether a number can be put here as it is: in `$((…))`, where nothing can be quoted.
  var takesNumber: Bool { arithmeticDepth > 0 }

  /// The construct that is still open at the end of the line; nil if there is none.
  var unfinished: String? {
    if lostBecause != nil { return nil }
    if isEscaped { return "a backslash at its end" }
    return switch enclosures.last {
    case .singleQuotes, .doubleQuotes: "a quote that does not end"
    case .substitution, .parameter: "a '$(' or '${' that does not end"
    case nil: nil
    }
  }

  /// Passes a placeholder: any input is text inside a word.
  mutating func passPlaceholder() {
    isWordStart = false
    isName = false
    previous = 0
  }

  /// Passes one byte of the line.
  mutating func pass(_ byte: UInt8) {
    guard lostBecause == nil else { return passArithmetic(byte) }
    if isComment {
      if byte == UInt8(ascii: "\n") { (isComment, isWordStart) = (false, true) }
      return
    }
    if isEscaped { return passEscaped(byte) }
    if enclosures.last == .parameter { return passParameter(byte) }
    switch quoting {
    case .single: if byte == UInt8(ascii: "'") { enclosures.removeLast() }
    case .double: passDoubleQuoted(byte)
    case .none, .verbatim: passUnquoted(byte)
    }
    previous = byte
  }

  /// Counts parentheses, to find the end of an arithmetic expression.
  ///
  /// Only a calculation that ends in `))` is one in every shell; another may be commands in
  /// parentheses, behind which nothing is certain.
  private mutating func passArithmetic(_ byte: UInt8) {
    guard arithmeticDepth > 0 else { return }
    if byte == UInt8(ascii: "(") { arithmeticDepth += 1 }
    if byte == UInt8(ascii: ")") { arithmeticDepth -= 1 }
    isCalculation = isCalculation && Self.isOfCalculation(byte)
    if arithmeticDepth == 0, isCalculation, previous == UInt8(ascii: ")") {
      lostBecause = nil
      enclosures.removeLast()
      isWordStart = false
    }
    previous = byte
  }

  private static func isOfCalculation(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || "_ +-*/%()".utf8.contains(byte)
  }

  private mutating func passEscaped(_ byte: UInt8) {
    isEscaped = false
    previous = 0
    // The shell removes both, even inside '<<' or '$('.
    if byte == UInt8(ascii: "\n") { lostBecause = "after a continued line" }
  }

  private mutating func passDoubleQuoted(_ byte: UInt8) {
    if isAfterDollar { return passAfterDollar(byte) }
    switch byte {
    case UInt8(ascii: "\""): enclosures.removeLast()
    case UInt8(ascii: "\\"): isEscaped = true
    case UInt8(ascii: "$"): isAfterDollar = true
    case UInt8(ascii: "`"): lostBecause = "after a backquote"
    default: break
    }
  }

  private mutating func passUnquoted(_ byte: UInt8) {
    if isAfterDollar { return passAfterDollar(byte) }
    let startsWord = isWordStart
    isWordStart = false
    if byte == UInt8(ascii: "["), isName { isSubscript = true }
    if byte == UInt8(ascii: "]") { isSubscript = false }
    isName = (startsWord || isName) && Self.isPartOfName(byte)
    switch byte {
    case UInt8(ascii: "'"): enclosures.append(.singleQuotes)
    case UInt8(ascii: "\""): enclosures.append(.doubleQuotes)
    case UInt8(ascii: "\\"): isEscaped = true
    case UInt8(ascii: "$"): isAfterDollar = true
    case UInt8(ascii: "`"): lostBecause = "after a backquote"
    case UInt8(ascii: "#") where startsWord: beginComment()
    case UInt8(ascii: "<") where previous == byte: lostBecause = "after a '<<'"
    case UInt8(ascii: "[") where previous == byte && calculatesInBrackets:
      lostBecause = "after a '[[' in a line with '-gt' or the like"
    case UInt8(ascii: "("): openParenthesis(startsWord: startsWord)
    case UInt8(ascii: ")"): closeParenthesis()
    default: isWordStart = Self.endsWord(byte)
    }
  }

  private static func endsWord(_ byte: UInt8) -> Bool {
    " \t\n;&|<>".utf8.contains(byte)
  }

  /// Passes the byte after a dollar.
  private mutating func passAfterDollar(_ byte: UInt8) {
    isAfterDollar = false
    isWordStart = false
    switch byte {
    case UInt8(ascii: "("):
      if hasCase { lostBecause = "after a '$(' in a line with a 'case'" }
      enclosures.append(.substitution(0))
      isWordStart = true
    case UInt8(ascii: "{"): enclosures.append(.parameter)
    case UInt8(ascii: "["): lostBecause = "after a '$['"
    case UInt8(ascii: "'") where quoting == .none: lostBecause = "after a \"$'\""
    case UInt8(ascii: "$"), UInt8(ascii: "#"), UInt8(ascii: "?"), UInt8(ascii: "!"): break
    default: quoting == .double ? passDoubleQuoted(byte) : passUnquoted(byte)
    }
  }

  private mutating func passParameter(_ byte: UInt8) {
    if byte == UInt8(ascii: "}") {
      enclosures.removeLast()
    } else if !Self.isPartOfName(byte) {
      lostBecause = "after a '${' with more than a name"
    }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    DecimalParser.isDigit(byte) || isLetter(byte)
  }

  static func isPartOfName(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || isAlphanumeric(byte)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private mutating func beginComment() {
    isComment = true
    // Old shells look for quotes in the comments of a substitution.
    if !enclosures.isEmpty { lostBecause = "after a comment inside '$('" }
  }

  private mutating func openParenthesis(startsWord: Bool) {
    isWordStart = true
    if previous == UInt8(ascii: "(") {
      lostBecause = "after a '(('"
      if enclosures.last == .substitution(0) { (arithmeticDepth, isCalculation) = (2, true) }
    }
    // An array in bash; after a malformed one bash continues at the start of the next line, even if
    // its line feed is inside quotes (found by the test with random templates).
    if !startsWord { lostBecause = "after a '(' inside a word" }
    guard case .substitution(let depth)? = enclosures.last else { return }
    enclosures[enclosures.count - 1] = .substitution(depth + 1)
  }

  private mutating func closeParenthesis() {
    isWordStart = true
    guard case .substitution(let depth)? = enclosures.last else { return }
    if depth > 0 {
      enclosures[enclosures.count - 1] = .substitution(depth - 1)
    } else {
      enclosures.removeLast()
      isWordStart = false
    }
  }
}
