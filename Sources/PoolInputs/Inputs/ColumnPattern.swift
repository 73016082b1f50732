import PoolSystem
import PoolText

/// Translates Perl's escapes to their equivalents in an extended regular expression of POSIX.
enum ColumnPattern {
  private static let classes: [UInt8: (name: String, isNegated: Bool)] = [
    UInt8(ascii: "s"): ("[:space:]", false), UInt8(ascii: "S"): ("[:space:]", true),
    UInt8(ascii: "d"): ("[:digit:]", false), UInt8(ascii: "D"): ("[:digit:]", true),
    UInt8(ascii: "w"): ("[:alnum:]_", false), UInt8(ascii: "W"): ("[:alnum:]_", true),
  ]
  private static let special = Set(#".[]{}()*+?|^$\"#.utf8)

  /// The byte that a pattern stands for, if it is only that.
  static func singleByte(_ pattern: [UInt8]) -> UInt8? {
    if pattern.count == 1 { return special.contains(pattern[0]) ? nil : pattern[0] }
    guard pattern.first == UInt8(ascii: "\\") else { return nil }
    if pattern.count == 2, special.contains(pattern[1]) { return pattern[1] }
    guard let plain = BackslashEscapes.plain(pattern), plain.count == 1 else { return nil }
    return plain[0]
  }

  /// The same pattern for ``RegularExpression``.
  static func extended(_ pattern: [UInt8]) throws(PatternError) -> [UInt8] {
    if pattern.isEmpty { throw PatternError(reason: "it is empty") }
    var result: [UInt8] = []
    var rest = pattern[...]
    var isInBrackets = false
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\\") {
        result += try escape(at: &rest, isInBrackets)
        continue
      }
      if isInBrackets, byte == UInt8(ascii: "["), rest.first == UInt8(ascii: ":") {
        // The name of a class, whose bracket does not end the set.
        let name = rest.prefix { $0 != UInt8(ascii: "]") }
        result += [byte] + name + [UInt8(ascii: "]")]
        rest = rest.dropFirst(name.count + 1)
        continue
      }
      if isInBrackets {
        try demandASCII(byte)
        isInBrackets = byte != UInt8(ascii: "]")
      } else if byte == UInt8(ascii: "[") {
        isInBrackets = true
        result.append(byte)
        // A bracket at the start of a set belongs to it.
        if rest.first == UInt8(ascii: "^") { result.append(rest.removeFirst()) }
        if rest.first == UInt8(ascii: "]") { result.append(rest.removeFirst()) }
        continue
      }
      result.append(byte)
    }
    return result
  }

  /// An expression is about bytes, so that a set would match single bytes of a character.
  private static func demandASCII(_ byte: UInt8) throws(PatternError) {
    guard byte > 127 else { return }
    throw PatternError(reason: "brackets can hold only ASCII; (a|b) has other characters")
  }

  /// Translates the escape after a backslash.
  private static func escape(
    at rest: inout ArraySlice<UInt8>,
    _ isInBrackets: Bool
  ) throws(PatternError) -> [UInt8] {
    guard let letter = rest.first else { throw PatternError(reason: "it ends in a backslash") }
    if let (name, isNegated) = classes[letter] {
      rest.removeFirst()
      if !isInBrackets { return Array("[\(isNegated ? "^" : "")\(name)]".utf8) }
      if isNegated { throw unknown(letter, "in brackets") }
      return Array(name.utf8)
    }
    let byte = try plainByte(at: &rest)
    if byte == 0 { throw PatternError(reason: "no input contains a NUL") }
    if isInBrackets {
      // A backslash is nothing special there, and these cannot be written without one.
      if "]^-[".utf8.contains(byte) { throw unknown(byte, "in brackets") }
      try demandASCII(byte)
      return [byte]
    }
    return special.contains(byte) ? [UInt8(ascii: "\\"), byte] : [byte]
  }

  private static func plainByte(at rest: inout ArraySlice<UInt8>) throws(PatternError) -> UInt8 {
    let letter = rest[rest.startIndex]
    let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter | 0x20)
    guard isLetter || DecimalParser.isDigit(letter) else { return rest.removeFirst() }
    let length = letter == UInt8(ascii: "x") ? 3 : 1
    guard let plain = BackslashEscapes.plain([UInt8(ascii: "\\")] + rest.prefix(length)) else {
      throw unknown(letter, "here")
    }
    rest = rest.dropFirst(length)
    return plain[0]
  }

  private static func unknown(_ letter: UInt8, _ place: String) -> PatternError {
    PatternError(reason: "'\\\(Character(UnicodeScalar(letter)))' is not known \(place)")
  }
}
