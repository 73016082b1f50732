import PoolText

/// Makes the outline of a line, which is passed byte by byte.
struct LineOutline {
  /// A command, or a word of one, in which another one has begun.
  private struct Enclosure {
    var command: CommandOutline.SimpleCommand
    /// The word that a substitution is a part of; nil for a subshell.
    var word: CommandOutline.Word?
    /// Whether that is a `<(…)`.
    var isStream = false
    /// Number of inputs before it.
    var inputCount: Int
  }

  private var outline = CommandOutline()
  private var enclosures: [Enclosure] = []
  private var command = CommandOutline.SimpleCommand()
  private var word: CommandOutline.Word?
  private var isBehindRedirection = false
  private var isBehindDuplication = false
  private var isCalculating = false
  private var previous: UInt8 = 0
  /// What cannot be followed.
  private var rest: [UInt8] = []

  /// Passes a byte that comes next in its context, and the one behind it.
  mutating func pass(_ byte: UInt8, before next: UInt8?, in context: ShellContext) {
    let part = context.part(byte)
    if isCalculating, part != .calculation {
      isCalculating = false
      if part != .unknown { close() }
    }
    switch part {
    case .text(let isQuoted): withWord { $0.append(byte, isQuoted: isQuoted) }
    case .quote: withWord { $0.isQuoted = true }
    case .expansion: withWord { $0.appendExpansion(byte) }
    case .blank: endWord()
    case .separator: passSeparator(byte, before: next)
    case .redirection: passRedirection()
    case .subshell: open(isPartOfWord: false)
    case .substitution: open(isPartOfWord: true)
    case .closing: close()
    case .comment: endWord()
    case .calculation: passCalculation(byte)
    case .subscript:
      withWord { $0.append(byte, isQuoted: false) }
      outline.calculates = true
    case .unknown: rest.append(byte)
    }
    previous = byte
  }

  mutating func pass(_ placeholder: Placeholder) {
    previous = 0
    guard !isCalculating else { return }
    var word = takeWord()
    outline.append(placeholder, to: &word)
    self.word = word
  }

  mutating func finish() -> CommandOutline {
    let words = UncertainText.words(rest)
    if UncertainText.mayEvaluate(rest) { outline.calculates = true }
    repeat {
      command.uncertainWords = words
      endCommand()
      guard !enclosures.isEmpty else { break }
      leave()
    } while true
    return outline
  }

  private mutating func passCalculation(_ byte: UInt8) {
    isCalculating = true
    let isNumber = DecimalParser.isDigit(byte)
    if byte == UInt8(ascii: "$") || !isNumber && ShellContext.isPartOfName(byte) {
      outline.calculates = true
    }
  }

  private mutating func takeWord() -> CommandOutline.Word {
    defer { word = nil }
    guard let word else {
      var word = CommandOutline.Word()
      (word.isFile, word.isDuplication) = (isBehindRedirection, isBehindDuplication)
      (isBehindRedirection, isBehindDuplication) = (false, false)
      return word
    }
    return word
  }

  private mutating func withWord(_ change: (inout CommandOutline.Word) -> Void) {
    var word = takeWord()
    change(&word)
    self.word = word
  }

  private mutating func endWord() {
    if let word { command.words.append(word) }
    word = nil
  }

  private mutating func endCommand() {
    endWord()
    (isBehindRedirection, isBehindDuplication) = (false, false)
    let isEmpty = command.words.isEmpty && command.uncertainWords.isEmpty
    if !isEmpty { outline.commands.append(command) }
    command = CommandOutline.SimpleCommand()
  }

  /// An `&` beside `<` or `>` is a part of a redirection, and so is the `|` of `>|`.
  private mutating func passSeparator(_ byte: UInt8, before next: UInt8?) {
    let isBehind = "<>".utf8.contains(previous) && "&|".utf8.contains(byte)
    if isBehind {
      isBehindDuplication = byte == UInt8(ascii: "&")
      return
    }
    if byte == UInt8(ascii: "&"), next == UInt8(ascii: ">") { return endWord() }
    endCommand()
  }

  private mutating func passRedirection() {
    // The number of a descriptor.
    if let word, word.isLiteral, !word.isQuoted, word.text.allSatisfy(DecimalParser.isDigit) {
      self.word = nil
    }
    endWord()
    isBehindRedirection = true
  }

  private mutating func open(isPartOfWord: Bool) {
    // A `<(…)` is no file of a redirection.
    let isStream = isPartOfWord && "<>".utf8.contains(previous)
    if isStream { isBehindRedirection = false }
    let word = isPartOfWord ? takeWord() : nil
    if !isPartOfWord { endCommand() }
    enclosures.append(
      Enclosure(
        command: command,
        word: word,
        isStream: isStream,
        inputCount: outline.inputs.count
      )
    )
    command = CommandOutline.SimpleCommand()
  }

  private mutating func close() {
    endCommand()
    // A pattern of a `case` has only the second parenthesis.
    if !enclosures.isEmpty { leave() }
  }

  private mutating func leave() {
    let enclosure = enclosures.removeLast()
    command = enclosure.command
    word = enclosure.word
    let inputs = enclosure.inputCount..<outline.inputs.count
    word?.append(substitutionWith: inputs, isStream: enclosure.isStream)
  }
}
