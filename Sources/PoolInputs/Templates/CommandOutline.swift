import PoolText

/// The simple commands of a command, with their words, and where inputs are in them.
struct CommandOutline {
  /// A word without its quotes.
  struct Word {
    /// What is not an input or the value of a variable.
    private(set) var text: [UInt8] = []
    /// The inputs that it has itself, by their numbers in the outline.
    private(set) var inputs: [Int] = []
    /// The inputs of its substitutions.
    private(set) var innerInputs: [Int] = []
    /// Whether a variable, or a substitution, is a part of it.
    private(set) var hasExpansion = false
    /// Number of bytes of its text before the first input or expansion.
    private var leadingCount = 0
    /// Whether the last component of its path is text alone.
    private(set) var hasKnownName = true
    /// Whether it has a blank, or a sign that is special to a shell, which is quoted here.
    private(set) var hasSign = false
    /// Whether it has an unquoted sign, for which the shell may put in other text.
    private var hasPattern = false
    /// Whether a part of it was quoted.
    var isQuoted = false
    /// Whether it is the file of a redirection.
    var isFile = false
    /// Whether it is behind `>&` or `<&`, which bash expands a second time.
    var isDuplication = false
    /// Whether it is a `<(…)`, or a file like that, which a program reads.
    private(set) var isStream = false
  }

  /// Words up to a separator such as `;`.
  struct SimpleCommand {
    var words: [Word] = []
    /// The words behind a place from which on the line cannot be followed.
    var uncertainWords: [[UInt8]] = []
  }

  var commands: [SimpleCommand] = []
  /// Whether it calculates with variables, or does what cannot be followed, so that bash could
  /// evaluate their values.
  var calculates = false
  /// The inputs in the order of the command, without their numbers and slots.
  private(set) var inputs: [Placeholder] = []
}

extension CommandOutline.Word {
  /// Whether an input is all of it.
  var isInput: Bool { text.isEmpty && inputs.count == 1 && innerInputs.isEmpty && !hasExpansion }

  /// Whether it is the same word for each input.
  var isLiteral: Bool {
    guard inputs.isEmpty, innerInputs.isEmpty, !hasExpansion else { return false }
    return !hasPattern || Self.signs.contains(text)
  }

  /// Words of the grammar.
  private static let signs = ["{", "}", "!", "[", "]", "[[", "]]"].map { Array($0.utf8) }

  /// Its text before the first input or expansion.
  var leadingText: ArraySlice<UInt8> { text[..<leadingCount] }

  /// The name of the variable that it assigns a value to, or appends one; nil for another word.
  ///
  /// An element, as in `x[0]=`, makes the line one that ``CommandOutline/calculates``.
  var assignedName: ArraySlice<UInt8>? {
    let name = leadingText.prefix(while: ShellContext.isPartOfName)
    let sign = leadingText[name.endIndex...]
    return !name.isEmpty && ["=", "+="].contains { sign.starts(with: $0.utf8) } ? name : nil
  }

  mutating func append(_ byte: UInt8, isQuoted: Bool) {
    if !isQuoted {
      hasPattern = hasPattern || !ShellQuoting.isPlain(byte) && byte != UInt8(ascii: "~")
    }
    hasSign = hasSign || Self.isSign(byte)
    if byte == UInt8(ascii: "/") { hasKnownName = true }
    if inputs.isEmpty, !hasExpansion { leadingCount += 1 }
    text.append(byte)
  }

  /// Appends a byte of a variable's sign or name; the name counts as text.
  mutating func appendExpansion(_ byte: UInt8) {
    (hasExpansion, hasKnownName) = (true, false)
    if ShellContext.isPartOfName(byte) { text.append(byte) }
  }

  mutating func append(input: Int) {
    hasKnownName = false
    inputs.append(input)
  }

  mutating func append(substitutionWith inner: Range<Int>, isStream: Bool) {
    self.isStream = isStream
    (hasExpansion, hasKnownName) = (true, false)
    innerInputs += inner
  }

  /// Whether a byte divides words, or is special, where a shell reads the word again.
  private static func isSign(_ byte: UInt8) -> Bool {
    byte <= UInt8(ascii: " ") || ";&|<>()$`\"'\\".utf8.contains(byte)
  }
}

extension CommandOutline {
  /// The words of a command without a shell.
  init(words: [[UInt8]], _ placeholders: PlaceholderParser) {
    var command = SimpleCommand()
    for text in words {
      var word = Word()
      var index = 0
      while index < text.count {
        if let match = placeholders.match(text[index...]) {
          append(match.placeholder, to: &word)
          index += match.count
        } else {
          word.append(text[index], isQuoted: true)
          index += 1
        }
      }
      command.words.append(word)
    }
    commands = [command]
  }

  /// Appends a placeholder to a word; a number is text like any other.
  mutating func append(_ placeholder: Placeholder, to word: inout Word) {
    guard !placeholder.isNumber else { return word.append(UInt8(ascii: "0"), isQuoted: true) }
    word.append(input: inputs.count)
    inputs.append(placeholder)
  }
}
