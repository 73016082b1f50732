/// Judges the words of a simple command.
struct WordJudge {
  /// Without the files of redirections.
  let words: [CommandOutline.Word]
  let readers: [(position: Int, reader: WordReader)]
  /// The name of a program that is behind the place from which on the line cannot be followed.
  let uncertainReader: String?
  /// Whether there is such a place.
  let isCut: Bool
  /// Whether a program adds words, which are not known.
  let addsWords: Bool

  init(_ command: CommandOutline.SimpleCommand) {
    var words = command.words.filter { !$0.isFile }
    addsWords = words.contains { Self.adders.contains($0.text) }
    if addsWords {
      var added = CommandOutline.Word()
      added.appendExpansion(UInt8(ascii: "$"))
      words.append(added)
    }
    self.words = words
    isCut = !command.uncertainWords.isEmpty
    readers = words.indices.compactMap { position in
      WordReader(words[position]).map { (position, $0) }
    }
    uncertainReader = UncertainText.reader(among: command.uncertainWords)
  }

  private static let adders = ["xargs", "parallel"].map { Array($0.utf8) }

  /// What may be put into a word; a list becomes several words.
  func verdict(at position: Int, isList: Bool) -> InputRule.Verdict {
    if let reader = uncertainReader ?? unknownProgram ?? evaluatedVariable(at: position) {
      return .plain(reader)
    }
    let readers = readers.filter { reads($0, at: position, isList: isList) }
    if let other = readers.first(where: { $0.reader != .shell }) {
      guard readers.count == 1, isOnlyWord(position, of: other.position) else {
        return .plain(name(at: other.position))
      }
      return .program("eval")
    }
    if let shell = readers.first { return verdict(at: position, ofShellAt: shell.position) }
    return words[position].hasSign ? .plain(nil) : .any
  }

  func name(at position: Int) -> String {
    String(decoding: PathComponents.baseName(words[position].text[...]), as: UTF8.self)
  }

  /// The variable that the command's name is in, if it is in one.
  private var unknownProgram: String? {
    let name = words.first { word in
      word.assignedName == nil && !(word.isLiteral && Self.prefixes.contains(word.text))
    }
    guard let name, name.hasExpansion, !name.hasKnownName else { return nil }
    return "$" + String(decoding: name.text, as: UTF8.self)
  }

  /// The variable that a word gives a value to, if a shell evaluates that.
  private func evaluatedVariable(at position: Int) -> String? {
    let isFunction = words[position].leadingText.starts(with: "BASH_FUNC_".utf8)
    if isFunction { return "BASH_FUNC_" }
    var name = words[position].assignedName
    let loop = words[..<position].firstIndex { Self.loops.contains($0.text) }
    if let loop, loop + 1 < position { name = words[loop + 1].text[...] }
    return name.map { String(decoding: $0, as: UTF8.self) }
      .flatMap { Self.evaluatedVariables.contains($0) ? $0 : nil }
  }

  /// Variables that a shell executes, or in which it calculates.
  static let evaluatedVariables: Set = [
    "BASH_ENV", "ENV", "PROMPT_COMMAND", "PROMPT4", "PS0", "PS1", "PS2", "PS4", "BASHPID",
    "COLUMNS", "EGID", "ERRNO", "EUID", "FUNCNEST", "GID", "HISTCMD", "HISTSIZE", "KEYTIMEOUT",
    "LINENO", "LINES", "MAILCHECK", "OPTIND", "PPID", "RANDOM", "SAVEHIST", "SECONDS", "SRANDOM",
    "TMOUT", "UID",
  ]
  static let loops = ["for", "select"].map { Array($0.utf8) }

  /// Words behind which the name of a command may be.
  private static let prefixes = [
    "!", "{", "if", "then", "elif", "else", "while", "until", "do", "time", "command", "builtin",
    "exec", "env", "nohup", "sudo",
  ].map { Array($0.utf8) }

  /// Whether all words before a position are the same for each input; variables may be set.
  private func isLiteral(before position: Int) -> Bool {
    let isSet = { (word: CommandOutline.Word) in
      word.assignedName != nil && word.inputs.isEmpty && word.innerInputs.isEmpty
    }
    return words[..<position].drop(while: isSet).allSatisfy(\.isLiteral)
  }

  /// Whether a word is an input, and the only argument of an `eval`.
  private func isOnlyWord(_ position: Int, of reader: Int) -> Bool {
    name(at: reader) == "eval" && words[position].isInput && position == reader + 1
      && words.count == position + 1 && isLiteral(before: position)
  }
}

// MARK: - Options

extension WordJudge {
  /// Whether a program reads the word at a position.
  private func reads(
    _ reader: (position: Int, reader: WordReader),
    at position: Int,
    isList: Bool
  ) -> Bool {
    let arguments = words[(reader.position + 1)...]
    switch reader.reader {
    case .shell, .other, .counting: return true
    case .printing: return arguments.first.map { !$0.isFormatOfTexts } ?? false
    case .exporting:
      return words[position].assignedName == nil || arguments.contains(where: \.mayBeOption)
    case .testing:
      let isSafe =
        position > 0 && !isList && !arguments.contains { Self.evaluations.contains($0.text) }
        && (position == reader.position + 1 || words[position - 1].isLiteral)
      return !isSafe
    case .splitting:
      return arguments.contains(where: \.maySplit)
        || words[position].assignedName == nil && !isArgument(position, ofEnvAt: reader.position)
    case .sourcing: return words[position].isStream
    case .setting: return arguments.first.map { $0.mayBeOption && !$0.isEnd } ?? false
    }
  }

  private static let evaluations = ["-v", "-R", "-t", "-eq", "-ne", "-lt", "-le", "-gt", "-ge"]
    .map { Array($0.utf8) }

  /// Whether a word is behind the name of the program that an `env` starts.
  private func isArgument(_ position: Int, ofEnvAt start: Int) -> Bool {
    var index = start + 1
    while index < position {
      let word = words[index]
      if word.mayBeOption {
        guard word.isLiteral else { return false }
        // Another option may have an argument.
        index += Self.flagsOfEnv.contains(word.text) ? 1 : 2
      } else if word.assignedName != nil {
        index += 1
      } else {
        return true
      }
    }
    return false
  }

  private static let flagsOfEnv = ["-", "-i", "--", "-v", "-iv", "-0"].map { Array($0.utf8) }

  /// What may be put into a word of a command that has a shell.
  private func verdict(at position: Int, ofShellAt shell: Int) -> InputRule.Verdict {
    let name = name(at: shell)
    guard let program = program(ofShellAt: shell), isLiteral(before: program.position) else {
      return .plain(name)
    }
    if program.isText, position == program.position, words[position].isInput {
      return .program("\(name) -c")
    }
    // The word behind the text is the name that the shell gives itself.
    let arguments = words[(program.position + 1)...].dropFirst(program.isText ? 1 : 0)
    let isArgument =
      position > program.position && words[program.position].isLiteral
      && !words[position].hasSign && !arguments.contains { WordReader($0) != nil }
    return isArgument ? .any : .plain(name)
  }

  /// Where a shell's script is, or the text of its option `-c`; nil if it has none.
  func program(ofShellAt shell: Int) -> (position: Int, isText: Bool)? {
    var position = shell + 1
    var isText = false
    while position < words.count, words[position].mayBeOption {
      guard words[position].isLiteral else {
        return isText && words[position].isInput ? (position, true) : nil
      }
      let option = words[position].text
      position += 1
      if option == Array("-".utf8) || option == Array("--".utf8) { break }
      if Self.longFlags.contains(option) { continue }
      if Self.optionsWithFile.contains(option) {
        position += 1
        continue
      }
      // Another option may have an argument.
      let hasName = option.last.map("oO".utf8.contains) ?? false
      let letters = option.dropFirst().dropLast(hasName ? 1 : 0)
      guard option.count > 1, letters.allSatisfy(Self.flags.contains) else { return nil }
      isText = isText || letters.contains(UInt8(ascii: "c"))
      if hasName {
        guard position < words.count, words[position].isLiteral, !words[position].mayBeOption
        else { return nil }
        position += 1
      }
    }
    return position < words.count ? (position, isText) : nil
  }

  /// Options of shells that have no argument in any of them.
  private static let flags = "acefhilmnpruvxBCEHP".utf8
  private static let longFlags = ["--login", "--noprofile", "--norc", "--posix"]
    .map { Array($0.utf8) }
  private static let optionsWithFile = ["--rcfile", "--init-file"].map { Array($0.utf8) }
}

extension CommandOutline.Word {
  /// Whether it is an option with an `S`, or may be.
  fileprivate var maySplit: Bool {
    if leadingText.starts(with: "--s".utf8) { return true }
    return leadingText.first == UInt8(ascii: "-") && leadingText.contains(UInt8(ascii: "S"))
  }

  /// Whether it ends the options.
  fileprivate var isEnd: Bool { isLiteral && text == Array("--".utf8) }

  /// Whether it is no option, and has only conversions that put in a text as it is.
  var isFormatOfTexts: Bool {
    guard isLiteral, !mayBeOption else { return false }
    var isConversion = false
    for byte in text {
      if !isConversion {
        isConversion = byte == UInt8(ascii: "%")
      } else if "sbcq%".utf8.contains(byte) {
        isConversion = false
      } else if !"-+ #.0123456789".utf8.contains(byte) {
        return false
      }
    }
    return true
  }

  /// Whether a program may take it for an option.
  fileprivate var mayBeOption: Bool {
    guard let first = leadingText.first else { return !isLiteral }
    return "-+".utf8.contains(first)
  }
}
