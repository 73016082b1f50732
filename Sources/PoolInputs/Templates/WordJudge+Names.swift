import PoolText

// What evaluates a variable that a line names without a `$`: bash and its relatives calculate with
// words, and what they find in a variable is an expression, too, in which `a[$(…)]` is executed.

extension WordJudge {
  /// The variable that gets a value with which a shell calculates, or in which it finds commands;
  /// nil if there is none.
  var evaluatedAssignment: String? {
    if let loop = words.firstIndex(where: { Self.loops.contains($0.text) }),
      let name = words.dropFirst(loop + 1).first?.text,
      !words.dropFirst(loop + 3).allSatisfy({ Self.isHarmless($0.text[...], for: name[...]) })
    {
      return String(decoding: name, as: UTF8.self)
    }
    return words.lazy.compactMap { word in
      guard let name = word.assignedName else { return nil }
      let value = word.text[name.endIndex...].drop { "+=".utf8.contains($0) }
      return Self.isHarmless(value, for: name) ? nil : String(decoding: name, as: UTF8.self)
    }.first
  }

  /// Whether a variable may get a value: a number, or a text in which nothing is put in.
  private static func isHarmless(_ value: ArraySlice<UInt8>, for name: ArraySlice<UInt8>) -> Bool {
    let variable = String(decoding: name, as: UTF8.self)
    guard evaluatedVariables.contains(variable) else { return true }
    return promptVariables.contains(variable)
      ? !value.contains { "$`".utf8.contains($0) } : value.allSatisfy(DecimalParser.isDigit)
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
      return texts.contains(where: Self.hasSubscript) || hasSignedOperand(texts)
        || isCalculation && texts.contains(where: Self.isExpression)
    case .printing:
      let takesTexts = arguments.first.map(\.isFormatOfTexts) ?? true
      guard !takesTexts else { return false }
      return texts.contains(where: Self.hasSubscript) || isAnyEvaluated(arguments)
        || texts.dropFirst().contains(where: Self.isExpression)
    case .exporting, .setting, .other:
      return texts.contains(where: Self.hasSubscript) || isAnyEvaluated(arguments)
    }
  }

  /// Whether an expression that begins with a minus is beside an operator: zsh and ksh calculate
  /// with it, and look up the variable of `[ -x -eq 1 ]`.
  private func hasSignedOperand(_ texts: [[UInt8]]) -> Bool {
    texts.indices.contains { place in
      guard Self.calculations.contains(texts[place]) else { return false }
      return [place - 1, place + 1].filter(texts.indices.contains).contains { operand in
        let text = texts[operand]
        return !Self.calculations.contains(text) && Self.isExpression(Array(text.drop { $0 == 45 }))
      }
    }
  }

  private func isAnyEvaluated(_ arguments: ArraySlice<CommandOutline.Word>) -> Bool {
    arguments.contains {
      Self.evaluatedVariables.contains(String(decoding: $0.text, as: UTF8.self))
    }
  }

  /// Whether a word is no number, and may be one in which a shell looks for variables.
  private static func isExpression(_ text: [UInt8]) -> Bool {
    text.first != UInt8(ascii: "-") && !sizes.contains(text)
      && text.contains { ShellContext.isPartOfName($0) && !DecimalParser.isDigit($0) }
  }

  /// Words of `ulimit`.
  private static let sizes = ["unlimited", "hard", "soft"].map { Array($0.utf8) }

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
