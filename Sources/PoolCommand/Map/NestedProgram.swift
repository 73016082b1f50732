/// Finds inputs that a program of the command reads as shell text, like `sh -c` and `eval`.
///
/// Quoting does not protect these inputs: the text is read a second time, without the quotes. Only
/// certain cases are found: not `ssh`, `su` and others, which also read their arguments as a program,
/// and not a shell behind a program that is unknown here.
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
    if readers.contains(word.text) {
      let arguments = words[(index + 1)...].prefix { !$0.startsCommand }
      let name = String(decoding: word.text, as: UTF8.self)
      return arguments.compactMap { Self(name, reads: $0.text, placeholders) }
    }
    guard let shell = ShellName(program: word.text),
      let program = program(in: words[(index + 1)...])
    else { return [] }
    return [Self("\(shell.rawValue) -c", reads: program, placeholders)].compactMap(\.self)
  }

  /// Commands of a shell that read their arguments as shell text, or calculate with them.
  private static let readers = ["eval", "trap", "let"].map { Array($0.utf8) }

  /// The program among a shell's arguments; nil if it reads a file.
  private static func program(in arguments: ArraySlice<Word>) -> [UInt8]? {
    var rest = arguments
    var isGiven = false
    while let option = rest.first?.text, option.first.map("-+".utf8.contains) == true {
      rest.removeFirst()
      let letters = option.dropFirst()
      guard letters.first != UInt8(ascii: "-") else {
        if option == Array("--rcfile".utf8) || option == Array("--init-file".utf8) {
          rest = rest.dropFirst()
        }
        continue
      }
      if option.first == UInt8(ascii: "-"), letters.contains(UInt8(ascii: "c")) { isGiven = true }
      // The name of a setting follows.
      if letters.contains(where: "oO".utf8.contains) { rest = rest.dropFirst() }
    }
    return isGiven ? rest.first?.text : nil
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
    var finder = ProgramNameFinder()
    return words.map { text in
      defer { finder.pass(text) }
      return Word(text: text, startsCommand: finder.mayBeNext)
    }
  }

  /// The words of a line, as determined by quotes and separators.
  static func words(ofLine line: [UInt8]) -> [Word] {
    var words: [Word] = []
    var word: Word?
    var quote: UInt8?
    var isEscaped = false
    var finder = ProgramNameFinder()
    func begun() -> Word { word ?? Word(startsCommand: finder.mayBeNext) }
    func end() {
      guard let ended = word else { return }
      words.append(ended)
      word = nil
      finder.pass(ended.text)
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
        if !ShellWords.isBlank(byte) || byte == UInt8(ascii: "\n") { finder = ProgramNameFinder() }
      } else {
        word = begun()
        word?.text.append(byte)
      }
    }
    end()
    return words
  }
}
