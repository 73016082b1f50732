import PoolText

/// A program that reads some of its words as a program, or as names that it evaluates.
///
/// These words are read a second time, without the quotes of the line, so that no quoting protects
/// an input in them.
enum WordReader: Hashable {
  /// A shell: takes words behind its script, or behind the text of `-c`, as they are.
  case shell
  /// A program that may read any of its words.
  case other
  /// `printf`: evaluates the name behind its option `-v`, and in some shells numbers.
  case printing
  /// `export`: evaluates names, and with options also what is assigned to them.
  case exporting
  /// `test`: evaluates the name behind `-v`, and in some shells numbers.
  case testing
  /// `env`: splits the argument of its option `-S` into words.
  case splitting
  /// `source`: reads a file as a program, which may be a stream.
  case sourcing
  /// `set`: evaluates the name behind its option `-A`, in some shells; `--` ends its options.
  case setting
  /// `exit`: takes a number, with which some shells calculate.
  case counting

  /// The one that a word of a command names; nil for other words.
  init?(_ word: CommandOutline.Word) {
    let name = PathComponents.baseName(word.text[...])
    if let reader = Self(name: name) {
      self = word.isLiteral ? reader : .other
    } else if word.isLiteral && word.hasSign && Self.isShellIn(word.text) {
      // `env -S` executes the words of its argument.
      self = .other
    } else if word.hasExpansion, Self.shellVariables.contains(name) {
      self = .other
    } else {
      return nil
    }
  }

  /// The one with this name.
  init?(name: ArraySlice<UInt8>) {
    if Self.isShell(name) {
      self = .shell
      return
    }
    switch String(decoding: name, as: UTF8.self) {
    case "csh", "tcsh", "fish", "elvish", "nu", "pwsh", "ssh", "su", "runuser", "sg", "watch",
      "parallel", "eval", "trap", "alias", "emulate", "let", "declare", "typeset", "local",
      "integer",
      "float", "nameref", "read", "mapfile", "readarray", "unset", "getopts", "wait", "compgen",
      "complete", "fc", "zformat", "zparseopts":
      self = .other
    case "exit", "return", "break", "continue", "shift", "repeat", "ulimit": self = .counting
    case "printf", "print": self = .printing
    case "set": self = .setting
    case "export", "readonly": self = .exporting
    case "test", "[": self = .testing
    case "env": self = .splitting
    case ".", "source": self = .sourcing
    default: return nil
    }
  }

  /// Variables with the path of a shell.
  private static let shellVariables = ["SHELL", "BASH"].map { Array($0.utf8)[...] }

  private static let shells = Set(ShellName.allCases.map(\.rawValue))
    .union(["rbash", "lksh", "oksh", "pdksh", "posh", "rksh", "rzsh", "yash"])

  /// Whether it names a shell like `sh`, perhaps with its version, such as `bash-5.2`.
  private static func isShell(_ name: ArraySlice<UInt8>) -> Bool {
    let isVersion = { (byte: UInt8) in DecimalParser.isDigit(byte) || "-.".utf8.contains(byte) }
    let end = name.lastIndex { !isVersion($0) }.map { $0 + 1 } ?? name.startIndex
    return shells.contains(String(decoding: name[..<end], as: UTF8.self))
  }

  /// Whether a word of this text names a shell, or `ssh`.
  private static func isShellIn(_ text: [UInt8]) -> Bool {
    text.split { !ShellQuoting.isPlain($0) }.contains { word in
      let name = PathComponents.baseName(word)
      return isShell(name) || name.elementsEqual("ssh".utf8)
    }
  }
}
