/// Quotes words for `/bin/sh`.
package enum ShellQuoting {
  /// Appends the word as it appears between single quotes, where only the quote is special.
  package static func appendQuotedBody(_ word: some Sequence<UInt8>, to line: inout [UInt8]) {
    for byte in word {
      if byte == UInt8(ascii: "'") {
        line.append(contentsOf: #"'\''"#.utf8)
      } else {
        line.append(byte)
      }
    }
  }

  /// Appends the word between single quotes.
  package static func appendQuoted(_ word: some Sequence<UInt8>, to line: inout [UInt8]) {
    line.append(UInt8(ascii: "'"))
    appendQuotedBody(word, to: &line)
    line.append(UInt8(ascii: "'"))
  }

  /// Joins words to a line that a shell splits into the same words; quotes only where necessary.
  package static func line(_ words: [[UInt8]]) -> [UInt8] {
    var line: [UInt8] = []
    for word in words {
      if !line.isEmpty { line.append(UInt8(ascii: " ")) }
      if !word.isEmpty, word.allSatisfy(isPlain) {
        line.append(contentsOf: word)
      } else {
        appendQuoted(word, to: &line)
      }
    }
    return line
  }

  /// Like `line`, but every word is quoted, so that none is an assignment or a reserved word of the
  /// shell.
  package static func quotedLine(_ words: [[UInt8]]) -> [UInt8] {
    var line: [UInt8] = []
    for word in words {
      if !line.isEmpty { line.append(UInt8(ascii: " ")) }
      appendQuoted(word, to: &line)
    }
    return line
  }

  /// Whether the byte is never special to a shell inside an argument.
  package static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ","),
      UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "+"), UInt8(ascii: "@"),
      UInt8(ascii: "%"), UInt8(ascii: "="):
      true
    default:
      byte >= 0x80
    }
  }
}
