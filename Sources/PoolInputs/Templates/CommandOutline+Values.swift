// What evaluates a value that is not known.
//
// No value is followed through a line: an input may be in a variable, in the name of the folder, in
// `$_`, in an argument of a function, or in what another command prints.

extension CommandOutline {
  /// The redirection whose file bash expands twice.
  static let duplication = ">&"

  /// What evaluates a value that is not known; nil if nothing does.
  var evaluator: String? {
    let judges = commands.map(WordJudge.init)
    if let name = judges.lazy.compactMap(\.evaluator).first { return name }
    // A shell gets the variables in its environment.
    if judges.contains(where: \.exports), let name = judges.lazy.compactMap(\.shell).first {
      return name
    }
    let duplications = commands.flatMap(\.words).filter(\.isDuplication)
    if duplications.contains(where: \.hasExpansion) { return Self.duplication }
    return calculates ? "$((…))" : nil
  }
}

extension WordJudge {
  /// The first shell in it.
  fileprivate var shell: String? {
    readers.first { $0.reader == .shell }.map { name(at: $0.position) }
  }

  /// Whether it puts variables into the environment of programs, or gives them attributes.
  fileprivate var exports: Bool {
    readers.contains { $0.reader == .exporting || $0.reader == .setting }
  }

  /// What evaluates a value in it that is not known.
  fileprivate var evaluator: String? {
    if let reader = uncertainReader ?? givenVariable ?? evaluatedAssignment { return reader }
    if let reader = readers.first(where: evaluatesOthers) { return name(at: reader.position) }
    for (position, word) in words.enumerated() where word.hasExpansion {
      if case .plain(let reader?) = verdict(at: position, isList: !word.isQuoted) { return reader }
    }
    return nil
  }

  /// Whether it evaluates what is no word of the command.
  private func evaluatesOthers(_ reader: (position: Int, reader: WordReader)) -> Bool {
    if replacesWords || calculates(reader) { return true }
    switch reader.reader {
    case .shell where isCut: return true
    case .shell where isName(reader.position): return false
    case .shell:
      // Its input.
      guard let program = program(ofShellAt: reader.position) else { return true }
      return !program.isText && words[program.position].text.starts(with: "/dev/".utf8)
    case .sourcing: return words.contains { $0.text.starts(with: "/dev/".utf8) }
    case .other:
      return isCut || Self.evaluators.contains(name(at: reader.position))
        || words.contains(where: evaluates)
    case .printing, .exporting, .testing, .splitting, .setting, .counting: return false
    }
  }

  /// Whether a word is the name that a shell before it gives itself, as in `sh -c '…' sh`.
  private func isName(_ position: Int) -> Bool {
    guard let shell = readers.first(where: { $0.reader == .shell }),
      let program = program(ofShellAt: shell.position)
    else { return false }
    return program.isText && position == program.position + 1
  }

  /// Whether a word is a text that evaluates values, or names a variable whose value is evaluated.
  private func evaluates(_ word: CommandOutline.Word) -> Bool {
    if word.isLiteral, word.hasSign { return UncertainText.reader(in: word.text) != nil }
    return Self.evaluatedVariables.contains(String(decoding: word.text, as: UTF8.self))
  }

  /// The variable that may get a value where the line cannot be followed any more: `${PS4:=…}`.
  private var givenVariable: String? {
    guard isCut, let word = words.last, word.hasExpansion else { return nil }
    let text = String(decoding: word.text, as: UTF8.self)
    return Self.evaluatedVariables.sorted().first(where: text.hasSuffix)
  }

  /// Whether another program replaces a text in its words.
  private var replacesWords: Bool {
    let options = ["-I", "-i", "-J", "--replace"]
    return addsWords
      && words.contains { word in options.contains { word.text.starts(with: $0.utf8) } }
  }

  /// Builtins that make assignments evaluate, and programs that read their input as a program.
  private static let evaluators: Set = [
    "declare", "typeset", "local", "integer", "float", "nameref", "let", "csh", "tcsh", "fish",
    "elvish",
    "nu", "pwsh", "su", "runuser", "sg", "parallel",
  ]
}
