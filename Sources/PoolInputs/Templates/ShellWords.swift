import PoolText

/// Finds commands for which a shell would only split words at blanks.
enum ShellWords {
  /// Words that only a shell can execute: builtins without a program of that name, and the words of
  /// its grammar.
  ///
  /// A list, because it is searched once: making a set takes longer.
  private static let shellOnly: [String] = [
    ".", ":", "alias", "bg", "break", "case", "cd", "command", "continue", "coproc", "declare",
    "do", "done", "elif", "else", "esac", "eval", "exec", "exit", "export", "fc", "fg", "fi", "for",
    "function", "getopts", "hash", "if", "in", "jobs", "let", "local", "read", "readonly",
    "return", "select", "set", "shift", "source", "then", "time", "times", "trap", "type",
    "typeset", "ulimit", "umask", "unalias", "unset", "until", "wait", "while",
  ]

  /// The words of a line whose text outside placeholders has no special character; otherwise nil.
  static func split(_ line: [UInt8], _ placeholders: PlaceholderParser) -> [[UInt8]]? {
    var words: [[UInt8]] = []
    var isWordOpen = false
    var index = 0
    while index < line.count {
      // The name of a column may have blanks.
      let count = placeholders.match(line[index...])?.count
      guard count != nil || !isBlank(line[index]) else {
        isWordOpen = false
        index += 1
        continue
      }
      guard count != nil || ShellQuoting.isPlain(line[index]) else { return nil }
      if !isWordOpen { words.append([]) }
      isWordOpen = true
      words[words.count - 1] += line[index..<(index + (count ?? 1))]
      index += count ?? 1
    }
    guard let first = words.first, isProgram(first) else { return nil }
    return words
  }

  /// The first word that only a shell understands.
  static func sign(in words: [[UInt8]]) -> String? {
    words.lazy.map { String(decoding: $0, as: UTF8.self) }.first(where: signs.contains)
  }

  private static let signs: Set = ["|", "||", "&&", ";", "&", ">", ">>", "<", "2>", "2>&1", "|&"]

  static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }

  /// Whether a first word names a program, not an assignment or a builtin.
  private static func isProgram(_ word: [UInt8]) -> Bool {
    !word.contains(UInt8(ascii: "=")) && !shellOnly.contains(String(decoding: word, as: UTF8.self))
  }
}
