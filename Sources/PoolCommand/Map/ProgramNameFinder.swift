/// Follows the words of a command, and says where the name of a program may be.
///
/// That is the first word, and the one after assignments, redirections, words of the shell such as
/// `if`, and programs that execute another one, such as `env` or `find -exec`, with their options.
struct ProgramNameFinder {
  /// Whether the next word may be the name.
  private(set) var mayBeNext = true
  /// Whether a program that executes another one has been passed.
  private var isBehindPrefix = false
  /// Whether that program has a file or the like before the other one's name.
  private var awaitsOperand = false
  /// Whether the next word may be the argument of an option of that program.
  private var isBehindOption = false
  /// Whether the next word is the file of a redirection.
  private var isBehindRedirection = false

  private static let prefixes = Set(
    [
      "!", "{", "if", "then", "elif", "else", "while", "until", "do", "command", "builtin", "exec",
      "time", "coproc", "nohup", "env", "sudo", "doas", "nice", "ionice", "chrt", "taskset",
      "setsid", "stdbuf", "timeout", "xargs", "busybox", "unshare", "strace", "prlimit", "linux32",
      "linux64", "runuser", "nsenter", "setpriv", "choom", "numactl",
    ].map { Array($0.utf8) }
  )

  /// Prefixes with an operand of their own.
  private static let operandPrefixes = Set(["flock", "chroot", "setarch"].map { Array($0.utf8) })

  private static let execOptions = ["-exec", "-execdir", "-ok", "-okdir"].map { Array($0.utf8) }

  /// Passes a word, without its quotes.
  mutating func pass(_ word: [UInt8]) {
    guard mayBeNext else {
      if Self.execOptions.contains(word) { self = Self() }
      return
    }
    if isBehindRedirection {
      isBehindRedirection = false
      return
    }
    if isRedirection(word) || isArgumentOfPrefix(word) { return }
    let name = Array(PathComponents.baseName(word[...]))
    if Self.prefixes.contains(name) {
      isBehindPrefix = true
    } else if Self.operandPrefixes.contains(name) {
      (isBehindPrefix, awaitsOperand) = (true, true)
    } else if awaitsOperand {
      awaitsOperand = false
    } else if !word.contains(UInt8(ascii: "=")) {
      mayBeNext = false
    }
  }

  private mutating func isRedirection(_ word: [UInt8]) -> Bool {
    guard let needsFile = Self.redirectionNeedsFile(word) else { return false }
    isBehindRedirection = needsFile
    return true
  }

  /// Whether the next word is the file of this redirection; nil for other words.
  static func redirectionNeedsFile(_ word: [UInt8]) -> Bool? {
    let sign = word.drop(while: DecimalParser.isDigit)
    guard let first = sign.first, "<>".utf8.contains(first) else { return nil }
    return sign.allSatisfy("<>|".utf8.contains)
  }

  /// Whether it is, or may be, an option of the program before it, or its argument or duration.
  private mutating func isArgumentOfPrefix(_ word: [UInt8]) -> Bool {
    guard isBehindPrefix, let first = word.first else { return false }
    let isOption = first == UInt8(ascii: "-")
    defer { isBehindOption = isOption }
    return isOption || isBehindOption || DecimalParser.isDigit(first)
  }
}
