/// Finds inputs that a program of the command reads as shell text, like `sh -c` and `eval`.
///
/// Quoting does not protect these inputs: the text is read a second time, without the quotes. Only
/// certain cases are found: not `ssh`, `awk` and others, which also read their arguments as a
/// program, and not a shell behind a program that is unknown here.
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

  private init(program: String, use: Use) {
    (self.program, self.use) = (program, use)
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
      let found = arguments.compactMap { Self(name, reads: $0.text, placeholders) }
      // It puts its arguments together to one text.
      guard name == "eval", arguments.count > 1 else { return found }
      return found.map { Self(program: $0.program, use: .part) }
    }
    let arguments = words[(index + 1)...]
    let name = String(decoding: PathComponents.baseName(word.text[...]), as: UTF8.self)
    let text =
      ShellName(rawValue: name) != nil
      ? program(in: arguments) : starters.contains(name) ? text(in: arguments) : nil
    return [text.flatMap { Self("\(name) -c", reads: $0, placeholders) }].compactMap(\.self)
  }

  /// Programs that start a shell with the text of their option `-c`, which may follow one operand.
  private static let starters: Set = ["flock", "runuser", "script", "su"]

  /// The text of such a program's option; nil if it has none.
  private static func text(in arguments: ArraySlice<Word>) -> [UInt8]? {
    var operands = 0
    for index in arguments.indices {
      let word = arguments[index].text
      let isLong = word.starts(with: "--".utf8)
      if word == Array("--command".utf8)
        || !isLong && word.first == UInt8(ascii: "-")
          && word.last == UInt8(ascii: "c")
      {
        return arguments[(index + 1)...].first?.text
      }
      if word.first != UInt8(ascii: "-"), word.first.map(DecimalParser.isDigit) != true {
        operands += 1
      }
      if operands > 1 { return nil }
    }
    return nil
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

  /// The words of a line, as determined by quotes and separators; at the end, those of
  /// substitutions in double quotes.
  static func words(ofLine line: [UInt8]) -> [Word] {
    var words: [Word] = []
    var inner: [Word] = []
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
    var index = 0
    while index < line.count {
      let byte = line[index]
      defer { index += 1 }
      if quote == UInt8(ascii: "\""), !isEscaped, let content = substitution(in: line, at: index) {
        inner += Self.words(ofLine: Array(line[content]))
        word?.text += line[index...content.upperBound]
        index = content.upperBound
      } else if isEscaped {
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
    return words + inner
  }

  /// The content of a `$(…)` that begins here, whose own quotes may have further ones; nil if none
  /// begins, or if it does not end.
  private static func substitution(in line: [UInt8], at start: Int) -> Range<Int>? {
    guard line[start...].starts(with: "$(".utf8) else { return nil }
    var (index, depth, quote) = (start + 2, 0, UInt8?.none)
    while index < line.count {
      let byte = line[index]
      if quote == UInt8(ascii: "'") {
        if byte == quote { quote = nil }
      } else if byte == UInt8(ascii: "\\") {
        index += 1
      } else if quote != nil, line[index...].starts(with: "$(".utf8) {
        guard let content = substitution(in: line, at: index) else { return nil }
        index = content.upperBound
      } else if byte == quote {
        quote = nil
      } else if quote == nil {
        if byte == UInt8(ascii: ")"), depth == 0 { return (start + 2)..<index }
        if byte == UInt8(ascii: "(") { depth += 1 }
        if byte == UInt8(ascii: ")") { depth -= 1 }
        if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") { quote = byte }
      }
      index += 1
    }
    return nil
  }
}
