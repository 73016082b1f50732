/// Finds inputs that a program of the command reads as shell text, like `sh -c` and `eval`.
///
/// Quoting does not protect these inputs: the text is read a second time, without the quotes. Only
/// certain cases are found; `ssh` and others, which also read their arguments as a program, are
/// not.
struct NestedProgram: Hashable, Sendable {
  /// How the input gets there.
  enum Use: Hashable, Sendable {
    /// The input is the whole program, which may be what the user means.
    case whole
    /// The input is put into a text, where it can become syntax.
    case part
  }

  /// A word of a command, without its quotes.
  struct Word {
    var text: [UInt8] = []
    /// Whether it is where the shell expects a command's name.
    var startsCommand = false

    /// The input; the last argument if there is no placeholder.
    static let input = Self(text: Array("{}".utf8))
  }

  var program: String
  var use: Use

  /// The first one in the words of a command; a part counts before a whole.
  init?(in words: [Word], _ placeholders: PlaceholderParser) {
    let found = words.indices.flatMap {
      Self.programs(startingAt: $0, in: words, placeholders)
    }
    guard let first = found.first(where: { $0.use == .part }) ?? found.first else { return nil }
    self = first
  }

  private init?(_ program: String, reads text: [UInt8], _ placeholders: PlaceholderParser) {
    guard let use = Self.use(in: text, placeholders) else { return nil }
    (self.program, self.use) = (program, use)
  }

  private static func programs(
    startingAt index: Int,
    in words: [Word],
    _ placeholders: PlaceholderParser
  ) -> [Self] {
    let word = words[index]
    guard word.startsCommand else { return [] }
    if word.text == Array("eval".utf8) {
      let arguments = words[(index + 1)...].prefix { !$0.startsCommand }
      return arguments.compactMap { Self("eval", reads: $0.text, placeholders) }
    }
    guard let shell = ShellName(program: word.text) else { return [] }
    let options = words[(index + 1)...].prefix { $0.text.first == UInt8(ascii: "-") }
    guard options.contains(where: hasLetterC), options.endIndex < words.endIndex else { return [] }
    let program = "\(shell.rawValue) -c"
    return [Self(program, reads: words[options.endIndex].text, placeholders)].compactMap(\.self)
  }

  /// Whether the letters behind one dash have a `c`.
  private static func hasLetterC(_ option: Word) -> Bool {
    let letters = option.text.dropFirst()
    return letters.first != UInt8(ascii: "-") && letters.contains(UInt8(ascii: "c"))
  }

  /// How a text contains inputs; nil if it has none, or only their numbers, which are no syntax.
  private static func use(in text: [UInt8], _ placeholders: PlaceholderParser) -> Use? {
    var index = 0
    while index < text.count {
      let match = placeholders.match(text[index...])
      if let match, !match.placeholder.isNumber {
        return match.count == text.count ? .whole : .part
      }
      index += match?.count ?? 1
    }
    return nil
  }
}

extension NestedProgram {
  /// The words of a command without a shell.
  static func words(_ words: [[UInt8]]) -> [Word] {
    var startsCommand = true
    return words.map { text in
      defer { startsCommand = startsCommand && precedesCommand(text) }
      return Word(text: text, startsCommand: startsCommand)
    }
  }

  /// The words of a line, as determined by quotes and separators.
  static func words(ofLine line: [UInt8]) -> [Word] {
    var words: [Word] = []
    var word: Word?
    var quote: UInt8?
    var isEscaped = false
    var startsCommand = true
    func begun() -> Word { word ?? Word(startsCommand: startsCommand) }
    func end() {
      guard let ended = word else { return }
      words.append(ended)
      word = nil
      // The name comes after assignments and the shell's own words.
      startsCommand = ended.startsCommand && precedesCommand(ended.text)
    }
    for byte in line {
      if isEscaped {
        isEscaped = false
        word = begun()
        word?.text.append(byte)
      } else if byte == UInt8(ascii: "\\"), quote != UInt8(ascii: "'") {
        isEscaped = true
      } else if let open = quote {
        if byte == open { quote = nil } else { word?.text.append(byte) }
      } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
        word = begun()
        quote = byte
      } else if ShellWords.isBlank(byte) || ";&|()\n`".utf8.contains(byte) {
        end()
        if !ShellWords.isBlank(byte) || byte == UInt8(ascii: "\n") { startsCommand = true }
      } else {
        word = begun()
        word?.text.append(byte)
      }
    }
    end()
    return words
  }

  private static let prefixes = [
    "!", "{", "if", "then", "elif", "else", "while", "until", "do", "command", "builtin", "exec",
    "time", "nohup", "env", "sudo", "doas", "nice", "setsid",
  ].map { Array($0.utf8) }

  private static func precedesCommand(_ word: [UInt8]) -> Bool {
    prefixes.contains(word) || word.contains(UInt8(ascii: "="))
  }
}
