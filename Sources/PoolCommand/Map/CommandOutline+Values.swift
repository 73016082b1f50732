// Values that a line keeps or passes on, and what evaluates them.
//
// No value is followed through a line. If anything in the line evaluates a value that is not known,
// each input that the line keeps in a variable, or sends through a pipe, counts as evaluated.

extension CommandOutline {
  /// The inputs that are kept in variables, or may be sent through a pipe, in any order.
  var keptInputs: [Int] {
    if definesFunction || commands.contains(where: \.definesFunction) {
      return Array(inputs.indices)
    }
    let words = commands.flatMap { command in
      command.words.filter { $0.assignedName != nil || command.keepsWords }
    }
    return words.flatMap { $0.inputs + $0.innerInputs } + (0..<pipedInputCount)
  }

  /// What evaluates a value that is not known; nil if nothing does.
  var evaluator: String? {
    let judges = commands.map(WordJudge.init)
    if let name = judges.lazy.compactMap(\.evaluator).first { return name }
    // A shell gets the variables in its environment.
    if judges.contains(where: \.exports), let name = judges.lazy.compactMap(\.shell).first {
      return name
    }
    return calculates ? "$((…))" : nil
  }
}

extension CommandOutline.SimpleCommand {
  /// Whether it begins with a word of the grammar, or a builtin, that keeps other words.
  fileprivate var keepsWords: Bool {
    words.contains { word in Self.keepers.contains(word.text) }
  }

  private static let keepers = ["for", "select", "set"].map { Array($0.utf8) }

  fileprivate var definesFunction: Bool { words.contains { $0.text == Array("function".utf8) } }
}

extension WordJudge {
  /// The first shell in it.
  fileprivate var shell: String? {
    readers.first { $0.reader == .shell }.map { name(at: $0.position) }
  }

  /// Whether it puts variables into the environment of programs, or gives them attributes.
  fileprivate var exports: Bool {
    readers.contains { $0.reader == .exporting } || words.first?.text == Array("set".utf8)
  }

  /// What evaluates a value in it that is not known.
  fileprivate var evaluator: String? {
    if let reader = uncertainReader { return reader }
    if let reader = readers.first(where: evaluatesOthers) { return name(at: reader.position) }
    for (position, word) in words.enumerated() where word.hasExpansion {
      if case .plain(let reader?) = verdict(at: position, isList: !word.isQuoted) { return reader }
    }
    return nil
  }

  /// Whether it evaluates what is no word of the command.
  private func evaluatesOthers(_ reader: (position: Int, reader: WordReader)) -> Bool {
    if replacesWords { return true }
    switch reader.reader {
    case .shell where isCut: return true
    case .shell:
      // Its input.
      guard let program = program(ofShellAt: reader.position) else { return true }
      return !program.isText && words[program.position].text.starts(with: "/dev/".utf8)
    case .sourcing: return words.contains { $0.text.starts(with: "/dev/".utf8) }
    case .other: return isCut || Self.declarations.contains(name(at: reader.position))
    case .printing, .exporting, .testing, .splitting: return false
    }
  }

  /// Whether another program replaces a text in its words.
  private var replacesWords: Bool {
    let options = ["-I", "-i", "-J", "--replace"]
    return addsWords
      && words.contains { word in options.contains { word.text.starts(with: $0.utf8) } }
  }

  /// Builtins that make assignments evaluate.
  private static let declarations: Set = ["declare", "typeset", "local"]
}
