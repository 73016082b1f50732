import Testing

@testable import PoolCommand
@testable import PoolInputs
@testable import PoolText

/// Contract: `-h` is one screen, and each of its examples is a command line that opool takes.
@Suite("The short help")
struct ShortHelpTests {
  @Test("It fits on a terminal of 24 lines and 80 columns")
  func size() {
    let lines = ShortHelp.text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.last == "")
    #expect(lines.count <= 24)
    for line in lines { #expect(DisplayWidth.of(String(line)) < 80 && line.last != " ", "\(line)") }
  }

  @Test("Each example is valid, and uses the option that it explains", arguments: ShortHelp.rows)
  func example(_ row: ShortHelp.Row) throws {
    let words = arguments(of: row.example)
    _ = try Invocation(arguments: words.map { Array($0.utf8) })
    for name in names(in: row) {
      #expect(words.contains { $0.hasPrefix(name) }, "\(name) is not in: \(row.example)")
    }
  }

  /// The words after `opool`, up to a pipe or a redirection; single quotes keep blanks.
  private func arguments(of line: String) -> [String] {
    var (words, word, isQuoted) = ([String](), "", false)
    for character in line.split(separator: "opool ", maxSplits: 1).last ?? "" {
      if !isQuoted, "|<".contains(character) { break }
      if character == "'" {
        isQuoted.toggle()
      } else if character == " ", !isQuoted {
        words.append(word)
        word = ""
      } else {
        word.append(character)
      }
    }
    return (words + [word]).filter { !$0.isEmpty }
  }

  private func names(in row: ShortHelp.Row) -> [String] {
    row.label.split { $0 == " " || $0 == "," }.map(String.init).filter { $0.hasPrefix("-") }
  }

  @Test("It names twenty options, each once")
  func options() {
    let names = ShortHelp.rows.flatMap(names)
    #expect(names.count == 20)
    #expect(Set(names).count == 20)
  }
}
