/// Finds inputs that a program of the command reads as shell text, like `sh -c` and `eval`.
///
/// Quoting does not protect these inputs: the text is read a second time, without the quotes. Only
/// certain cases are found: not `ssh`, `awk` and others, which also read their arguments as a
/// program, and not a shell behind a program that is unknown here.
struct NestedProgram: Hashable, Sendable {
  /// How the input gets there.
  enum Use: Hashable, Sendable {
    /// The input is the whole program, which may be what the user means.
    case whole
    /// The input is put into a text, where it can become syntax.
    case part
  }

  /// A word of a command, without its quotes.
  struct Word {
    var text: [UInt8] = []
    /// Whether it is where the shell expects a command's name.
    var startsCommand = false
    /// Whether it is the first one behind a separator such as `;`.
    var isFirst = false
    /// Whether a part of it was quoted.
    var isQuoted = false
  }

  var program: String
  var use: Use

  /// The first one in the words of a command; a part counts before a whole.
  init?(in words: [Word], _ placeholders: PlaceholderParser) {
    let found = words.indices.flatMap {
      Self.programs(startingAt: $0, in: words, placeholders)
    }
    guard let first = found.first(where: { $0.use == .part }) ?? found.first else { return nil }
    self = first
  }

  private init(program: String, use: Use) {
    (self.program, self.use) = (program, use)
  }

  private init?(_ program: String, reads text: [UInt8], _ placeholders: PlaceholderParser) {
    guard let use = Self.use(in: text, placeholders) else { return nil }
    (self.program, self.use) = (program, use)
  }

  private static func programs(
    startingAt index: Int,
    in words: [Word],
    _ placeholders: PlaceholderParser
  ) -> [Self] {
    let word = words[index]
    guard word.startsCommand else { return [] }
    let arguments = words[(index + 1)...].prefix { !$0.isFirst }
    if readers.contains(word.text) {
      let name = String(decoding: word.text, as: UTF8.self)
      let found = arguments.compactMap { Self(name, reads: $0.text, placeholders) }
      // It puts its arguments together to one text.
      guard name == "eval", argumentCount(of: arguments) > 1 else { return found }
      return found.map { Self(program: $0.program, use: .part) }
    }
    let (name, text): (String, [UInt8]?)
    if let shell = ShellName(program: word.text) {
      (name, text) = (shell.rawValue, program(in: arguments))
    } else if let starter = ShellStarter(word.text) {
      (name, text) = (starter.name, starter.text(in: arguments))
    } else {
      return []
    }
    return [text.flatMap { Self("\(name) -c", reads: $0, placeholders) }].compactMap(\.self)
  }

  /// Number of words without redirections, which a shell removes.
  private static func argumentCount(of words: ArraySlice<Word>) -> Int {
    var count = 0
    var isFile = false
    for word in words {
      let needsFile = word.isQuoted ? nil : ProgramNameFinder.redirectionNeedsFile(word.text)
      if needsFile == nil, !isFile { count += 1 }
      isFile = needsFile ?? false
    }
    return count
  }

  /// Commands of a shell that read their arguments as shell text, or calculate with them.
  private static let readers = ["eval", "trap", "let"].map { Array($0.utf8) }

  /// The program among a shell's arguments; nil if it reads a file.
  private static func program(in arguments: ArraySlice<Word>) -> [UInt8]? {
    var rest = arguments
    var isGiven = false
    while let option = rest.first?.text, option.first.map("-+".utf8.contains) == true {
      rest.removeFirst()
      let letters = option.dropFirst()
      guard letters.first != UInt8(ascii: "-") else {
        if option == Array("--rcfile".utf8) || option == Array("--init-file".utf8) {
          rest = rest.dropFirst()
        }
        continue
      }
      if option.first == UInt8(ascii: "-"), letters.contains(UInt8(ascii: "c")) { isGiven = true }
      // The name of a setting follows.
      if letters.contains(where: "oO".utf8.contains) { rest = rest.dropFirst() }
    }
    return isGiven ? rest.first?.text : nil
  }

  /// How a text contains inputs; nil if it has none, or only their numbers, which are no syntax.
  private static func use(in text: [UInt8], _ placeholders: PlaceholderParser) -> Use? {
    var index = 0
    while index < text.count {
      let match = placeholders.match(text[index...])
      if let match, !match.placeholder.isNumber {
        return match.count == text.count ? .whole : .part
      }
      index += match?.count ?? 1
    }
    return nil
  }
}
