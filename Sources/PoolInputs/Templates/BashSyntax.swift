import PoolText
package import PoolWire

/// Finds what bash understands in a command that bash will not execute, so that a message can name
/// `--shell bash`.
///
/// It only serves hints: what it overlooks is executed as it is.
package struct BashSyntax: Hashable, Sendable {
  /// Names of functions that bash has exported to programs.
  private let functions: Set<[UInt8]>
  /// Whether `/bin/sh` reads the words and signs of bash.
  private let isKnownToShell: Bool

  /// Looks in the variables of an environment for functions, named `BASH_FUNC_NAME%%` by bash.
  package init(environment: some Sequence<ArraySlice<UInt8>>, isKnownToShell: Bool) {
    let (start, end) = (Array("BASH_FUNC_".utf8), Array("%%=".utf8))
    var functions: Set<[UInt8]> = []
    for entry in environment where entry.starts(with: start) {
      let name = entry.dropFirst(start.count).prefix { $0 != UInt8(ascii: "%") }
      if entry[name.endIndex...].starts(with: end) { functions.insert(Array(name)) }
    }
    self.functions = functions
    self.isKnownToShell = isKnownToShell
  }

  /// What to do about a word or sign of bash in an action; nil if it has none.
  package func hint(for action: CommandPayload.Action) -> String? {
    switch action {
    case .run(let words):
      guard let name = words.first, functions.contains(name) else { return nil }
      return Self.hint(forFunction: name)
    case .shell(let line):
      let line = ShellSkeleton(line)
      if let name = line.commandNames.first(where: functions.contains) {
        return Self.hint(forFunction: name)
      }
      guard !isKnownToShell, let sign = Self.sign(in: line) else { return nil }
      return "'\(sign)' belongs to bash, and /bin/sh may not know it; write --shell bash"
    }
  }

  private static func hint(forFunction name: [UInt8]) -> String {
    "'\(MessageExcerpt.input(name))' is a function of bash; write --shell bash"
  }

  private static func sign(in line: ShellSkeleton) -> String? {
    let names = line.commandNames.map { String(decoding: $0, as: UTF8.self) }
    if let name = names.first(where: words.contains) { return name }
    if let sign = signs.first(where: line.contains) { return sign }
    return names.contains { $0 == "[" || $0 == "test" } && line.contains(" == ") ? "==" : nil
  }

  /// Commands that other shells lack.
  private static let words: Set = [
    "source", "[[", "declare", "typeset", "shopt", "mapfile", "readarray", "pushd", "popd", "let",
    "select", "coproc", "function",
  ]

  /// Signs outside quotes that other shells refuse, or read as something else.
  private static let signs = ["<(", ">(", "<<<", "&>", "|&", "$'"]
}

/// A shell line whose quoted text is blotted out: what is left are its words, signs and quotes.
struct ShellSkeleton {
  private let bytes: [UInt8]

  /// No shell gives this byte a meaning.
  private static let blot: UInt8 = 1

  init(_ line: [UInt8]) {
    var bytes: [UInt8] = []
    var quote: UInt8?
    var isEscaped = false
    for byte in line {
      if isEscaped {
        isEscaped = false
        bytes.append(Self.blot)
      } else if let open = quote {
        if byte == open { quote = nil }
        isEscaped = byte == UInt8(ascii: "\\") && open == UInt8(ascii: "\"")
        bytes.append(Self.blot)
      } else {
        if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") { quote = byte }
        isEscaped = byte == UInt8(ascii: "\\")
        bytes.append(byte)
      }
    }
    self.bytes = bytes
  }

  /// Whether the text stands outside quotes.
  func contains(_ text: String) -> Bool {
    let text = Array(text.utf8)
    return bytes.indices.contains { bytes[$0...].starts(with: text) }
  }

  /// The words that name commands: the first one, and those behind an operator, a word of the
  /// grammar or an assignment.
  var commandNames: [[UInt8]] {
    var names: [[UInt8]] = []
    for command in bytes.split(whereSeparator: { ";&|()\n`".utf8.contains($0) }) {
      let words = command.split { ShellWords.isBlank($0) }
      for word in words {
        names.append(Array(word))
        let isBefore = Self.grammar.contains(String(decoding: word, as: UTF8.self))
        if !isBefore, !word.contains(UInt8(ascii: "=")) { break }
      }
    }
    return names
  }

  /// Words that a command may follow.
  private static let grammar: Set = [
    "if", "then", "else", "elif", "while", "until", "do", "!", "{", "time", "exec", "command",
  ]
}
