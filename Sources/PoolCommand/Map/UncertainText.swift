/// The text of a line behind a place from which on it cannot be followed.
enum UncertainText {
  /// Whether a shell may evaluate the values of variables there: by `((…))`, `[[…]]`, a subscript, or
  /// an expansion such as `${!x}`, `${x@P}` and `${x:1}`.
  static func mayEvaluate(_ text: [UInt8]) -> Bool {
    text.indices.contains { mayEvaluate(text, at: $0) }
  }

  private static func mayEvaluate(_ text: [UInt8], at index: Int) -> Bool {
    let next = text[(index + 1)...].first
    switch text[index] {
    case UInt8(ascii: "("): return index == 0 || text[index - 1] == UInt8(ascii: "(")
    case UInt8(ascii: "["): return index == 0 || next.map(ShellWords.isBlank) != true
    case UInt8(ascii: "!"): return index == 0 || text[..<index].suffix(2).elementsEqual("${".utf8)
    case UInt8(ascii: "@"): return isBehindName(in: text, index)
    case UInt8(ascii: ":"):
      return next.map("-=?+".utf8.contains) != true && isBehindName(in: text, index)
    // The option of a `test`.
    case UInt8(ascii: "-"): return next.map("vR".utf8.contains) == true
    default: return false
    }
  }

  /// Whether `${NAME` ends there; the text may begin behind it.
  private static func isBehindName(in text: [UInt8], _ index: Int) -> Bool {
    let name = text[..<index].lastIndex { !ShellContext.isPartOfName($0) }
    guard let name else { return index == 0 }
    return text[...name].suffix(2).elementsEqual("${".utf8)
  }
}
