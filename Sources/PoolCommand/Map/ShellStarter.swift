/// A program that starts a shell with the text of its option `-c`, such as `flock FILE -c TEXT`.
///
/// The option comes before the second operand, behind which all belongs to another program.
struct ShellStarter {
  /// Its name, without a folder.
  let name: String
  /// The letters of its options with an argument, beside `-c`.
  private let letters: String

  /// The programs, with these letters.
  private static let known = ["flock": "wE", "runuser": "ugGsw", "script": "EIBOTmo", "su": "sgGw"]
  private static let folders = ["", "/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/"]
  private static let longOptions = ["--command", "--session-command"]

  /// Nil for other programs, and for those in folders of their own.
  init?(_ program: [UInt8]) {
    let path = String(decoding: program, as: UTF8.self)
    name = String(decoding: PathComponents.baseName(program[...]), as: UTF8.self)
    guard let letters = Self.known[name],
      Self.folders.contains(String(path.dropLast(name.count)))
    else { return nil }
    self.letters = letters
  }

  /// The text of the option; nil if it has none.
  func text(in arguments: ArraySlice<NestedProgram.Word>) -> [UInt8]? {
    var rest = arguments.map(\.text)[...]
    var operands = 0
    while operands < 2, let word = rest.popFirst() {
      let option = String(decoding: word, as: UTF8.self)
      if Self.longOptions.contains(option) { return rest.first }
      if let long = Self.longOptions.first(where: { option.hasPrefix($0 + "=") }) {
        return Array(word.dropFirst(long.utf8.count + 1))
      }
      guard option.hasPrefix("-") else {
        operands += 1
        continue
      }
      // With a user as an option, a program follows instead of a text.
      if option.hasPrefix("--user") { return nil }
      guard !option.hasPrefix("--") else { continue }
      // The first letter with an argument takes the rest of the word, or the next one.
      let taken = word.dropFirst().firstIndex { letter in
        letter == UInt8(ascii: "c") || letters.utf8.contains(letter)
      }
      guard let taken else { continue }
      if word[taken] == UInt8(ascii: "u") { return nil }
      let isText = word[taken] == UInt8(ascii: "c")
      let isAttached = taken < word.count - 1
      if isText { return isAttached ? Array(word[(taken + 1)...]) : rest.first }
      if !isAttached { rest = rest.dropFirst() }
    }
    return nil
  }
}
