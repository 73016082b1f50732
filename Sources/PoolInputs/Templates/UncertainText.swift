import PoolText

/// The text of a line behind a place from which on it cannot be followed, or a text that a shell
/// reads as a program.
enum UncertainText {
  /// What evaluates values in a text; nil if nothing does.
  static func reader(in text: [UInt8]) -> String? {
    reader(among: words(text)) ?? (mayEvaluate(text) ? "$((…))" : nil)
  }

  /// The first program among words that reads words as a program.
  static func reader(among words: [[UInt8]]) -> String? {
    words.first { word in
      let reader = WordReader(name: PathComponents.baseName(word[...]))
      return reader == .shell || reader == .other
    }.map { String(decoding: $0, as: UTF8.self) }
  }

  /// What may be words in a text.
  static func words(_ text: [UInt8]) -> [[UInt8]] {
    text.split { !ShellQuoting.isPlain($0) || $0 == UInt8(ascii: "=") }.map(Array.init)
  }

  /// Whether a shell may evaluate the values of variables in a text: by `((…))`, `[[…]]`, a
  /// subscript, an expansion such as `${!x}`, `${x@P}` and `${x:y}`, a value for a variable such as
  /// `PS4`, or a builtin such as `printf` whose first word has an expansion.
  static func mayEvaluate(_ text: [UInt8]) -> Bool {
    text.indices.contains { mayEvaluate(text, at: $0) || isVariable(text, at: $0) }
      || hasEvaluatedWord(text)
  }

  /// Whether the name of a variable whose value a shell evaluates begins there, but not `$NAME`.
  private static func isVariable(_ text: [UInt8], at index: Int) -> Bool {
    if index > 0 {
      let isInside = ShellContext.isPartOfName(text[index - 1])
      if isInside || text[index - 1] == UInt8(ascii: "$") { return false }
    }
    let name = text[index...].prefix(while: ShellContext.isPartOfName)
    return WordJudge.evaluatedVariables.contains(String(decoding: name, as: UTF8.self))
  }

  /// Whether a word behind the name of a builtin that evaluates it has an expansion.
  private static func hasEvaluatedWord(_ text: [UInt8]) -> Bool {
    let words = text.split { $0 <= UInt8(ascii: " ") || ";&|(){}".utf8.contains($0) }
    return zip(words, words.dropFirst()).contains { name, word in
      switch WordReader(name: name) {
      case .printing, .exporting, .counting, .splitting:
        word.contains { "$`".utf8.contains($0) }
      default: false
      }
    }
  }

  private static func mayEvaluate(_ text: [UInt8], at index: Int) -> Bool {
    let next = text[(index + 1)...].first
    switch text[index] {
    case UInt8(ascii: "("): return index == 0 || "({".utf8.contains(text[index - 1])
    case UInt8(ascii: "["): return index == 0 || next.map(ShellWords.isBlank) != true
    case UInt8(ascii: "!"): return index == 0 || text[..<index].suffix(2).elementsEqual("${".utf8)
    case UInt8(ascii: "@"): return isBehindName(in: text, index)
    case UInt8(ascii: ":"):
      return next.map("-=?+".utf8.contains) != true && isBehindName(in: text, index)
        && !hasOffsets(text[(index + 1)...])
    // The option of a `test`.
    case UInt8(ascii: "-"): return next.map("vR".utf8.contains) == true
    default: return false
    }
  }

  /// Whether an expansion goes on with numbers only, as `${NAME:1:2}` does.
  private static func hasOffsets(_ text: ArraySlice<UInt8>) -> Bool {
    guard let end = text.firstIndex(of: UInt8(ascii: "}")) else { return false }
    return text[..<end].allSatisfy { "0123456789: -".utf8.contains($0) }
  }

  /// Whether `${NAME` ends there; the text may begin behind it.
  private static func isBehindName(in text: [UInt8], _ index: Int) -> Bool {
    let name = text[..<index].lastIndex { !ShellContext.isPartOfName($0) }
    guard let name else { return index == 0 }
    return text[...name].suffix(2).elementsEqual("${".utf8)
  }
}
