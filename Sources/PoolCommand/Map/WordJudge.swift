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
    uncertainReader = command.uncertainWords.first { word in
      let reader = WordReader(name: PathComponents.baseName(word[...]))
      return reader == .shell || reader == .other
    }.map { String(decoding: $0, as: UTF8.self) }
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
    var name = words[position].assignedName
    let loop = words[..<position].firstIndex { Self.loops.contains($0.text) }
    if let loop, loop + 1 < position { name = words[loop + 1].text[...] }
    return name.map { String(decoding: $0, as: UTF8.self) }
      .flatMap { Self.evaluatedVariables.contains($0) ? $0 : nil }
  }

  private static let evaluatedVariables: Set = [
    "BASH_ENV", "ENV", "HISTCMD", "LINENO", "OPTIND", "PROMPT_COMMAND", "PS0", "PS1", "PS2", "PS4",
    "RANDOM", "SECONDS", "SRANDOM",
  ]
  private static let loops = ["for", "select"].map { Array($0.utf8) }

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
    case .shell, .other: return true
    case .printing: return arguments.first?.mayBeOption ?? false
    case .exporting:
      return words[position].assignedName == nil || arguments.contains(where: \.mayBeOption)
    case .testing:
      let isSafe =
        position > 0 && !isList && !arguments.contains { Self.evaluations.contains($0.text) }
        && (position == reader.position + 1 || words[position - 1].isLiteral)
      return !isSafe
    case .splitting: return arguments.contains(where: \.maySplit)
    case .sourcing: return words[position].isStream
    }
  }

  private static let evaluations = ["-v", "-R", "-eq", "-ne", "-lt", "-le", "-gt", "-ge"]
    .map { Array($0.utf8) }

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
      if option.starts(with: "--".utf8) {
        if Self.optionsWithFile.contains(option) { position += 1 }
        continue
      }
      let letters = option.dropFirst()
      if letters.contains(UInt8(ascii: "s")) { return nil }
      if option.first == UInt8(ascii: "-"), letters.contains(UInt8(ascii: "c")) { isText = true }
      // The name of a setting follows.
      if letters.contains(where: "oO".utf8.contains) { position += 1 }
    }
    return position < words.count ? (position, isText) : nil
  }

  private static let optionsWithFile = ["--rcfile", "--init-file"].map { Array($0.utf8) }
}

extension CommandOutline.Word {
  /// Whether it is an option with an `S`, or may be.
  fileprivate var maySplit: Bool {
    if leadingText.starts(with: "--s".utf8) { return true }
    return leadingText.first == UInt8(ascii: "-") && leadingText.contains(UInt8(ascii: "S"))
  }

  /// Whether a program may take it for an option.
  fileprivate var mayBeOption: Bool {
    guard let first = leadingText.first else { return !isLiteral }
    return "-+".utf8.contains(first)
  }
}
