// What evaluates a variable that a line names without a `$`: bash and its relatives calculate with
// words, and what they find in a variable is an expression, too, in which `a[$(…)]` is executed.

extension WordJudge {
  /// The variable that gets a value with which a shell calculates, or in which it finds commands; nil if
  /// there is none.
  var evaluatedAssignment: String? {
    let loop = words.firstIndex { Self.loops.contains($0.text) }
    let variable = loop.flatMap { words.dropFirst($0 + 1).first }?.text
    if let name = variable.map({ String(decoding: $0, as: UTF8.self) }),
      Self.evaluatedVariables.contains(name)
    {
      return name
    }
    return words.lazy.compactMap { word in
      guard let name = word.assignedName else { return nil }
      let value = word.text[name.endIndex...].drop { "+=".utf8.contains($0) }
      let variable = String(decoding: name, as: UTF8.self)
      guard Self.evaluatedVariables.contains(variable) else { return nil }
      let isHarmless =
        Self.promptVariables.contains(variable)
        ? !value.contains { "$`".utf8.contains($0) } : value.allSatisfy(DecimalParser.isDigit)
      return isHarmless ? nil : variable
    }.first
  }

  /// Whether a builtin calculates with a word of the line, or with the subscript in one.
  func calculates(_ reader: (position: Int, reader: WordReader)) -> Bool {
    let arguments = words[(reader.position + 1)...]
    let texts = arguments.filter { !$0.hasExpansion }.map(\.text)
    switch reader.reader {
    case .shell, .sourcing, .splitting: return false
    case .counting: return texts.contains(where: Self.isExpression)
    case .testing:
      let isCalculation = texts.contains { Self.calculations.contains($0) }
      return texts.contains(where: Self.hasSubscript)
        || isCalculation && texts.contains(where: Self.isExpression)
    case .printing:
      let takesTexts = arguments.first.map(\.isFormatOfTexts) ?? true
      return texts.contains(where: Self.hasSubscript) || !takesTexts && isAnyEvaluated(arguments)
        || !takesTexts && texts.dropFirst().contains(where: Self.isExpression)
    case .exporting, .setting, .other:
      return texts.contains(where: Self.hasSubscript) || isAnyEvaluated(arguments)
    }
  }

  private func isAnyEvaluated(_ arguments: ArraySlice<CommandOutline.Word>) -> Bool {
    arguments.contains {
      Self.evaluatedVariables.contains(String(decoding: $0.text, as: UTF8.self))
    }
  }

  /// Whether a word is no number, and may be one in which a shell looks for variables.
  private static func isExpression(_ text: [UInt8]) -> Bool {
    text.first != UInt8(ascii: "-")
      && text.contains { ShellContext.isPartOfName($0) && !DecimalParser.isDigit($0) }
  }

  private static func hasSubscript(_ text: [UInt8]) -> Bool {
    text.dropFirst().contains(UInt8(ascii: "["))
  }

  private static let calculations = ["-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-t"]
    .map { Array($0.utf8) }
  /// Those of ``evaluatedVariables`` whose values are texts.
  private static let promptVariables: Set = [
    "BASH_ENV", "ENV", "PROMPT_COMMAND", "PROMPT4", "PS0", "PS1", "PS2", "PS4",
  ]
}
