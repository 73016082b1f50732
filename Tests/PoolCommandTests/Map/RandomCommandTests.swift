import Foundation
import PoolModel
import PoolTestSupport
import Testing

@testable import PoolCommand
@testable import PoolInputs

/// Contract: whatever shells and builtins a command line uses, either an input is refused, or no
/// shell executes it.
///
/// `SEED` and `COUNT` in the environment try others, and more.
@Suite("Random command lines")
struct RandomCommandTests {
  /// Would make the file `pwned` where a shell reads them as more than text.
  private static let inputs = [
    "$(touch pwned)", "`touch pwned`", "touch pwned", ";touch pwned;", "a[$(touch pwned)]",
    "-va[$(touch pwned)]", "x;touch pwned", "a[$(touch pwned)]=1", "([$(touch pwned)]=1)",
    "'$(touch pwned)'", "\";touch pwned;\"", "x\ntouch pwned\n", "%s$(touch pwned)", "-v",
    "@P}$(touch pwned)", "x=$(touch pwned)", "-Stouch pwned", "-v a[$(>pwned)]",
    "BASH_ENV=$(touch pwned)", "() { touch pwned;}",
  ].map(bytes)

  /// Writes random lines.
  private struct Grammar {
    var random: SeededGenerator

    mutating func pick(_ choices: [String]) -> String {
      choices.randomElement(using: &random) ?? ""
    }

    mutating func line() -> String {
      let count = Int.random(in: 1...3, using: &random)
      let statements = (0..<count).map { _ in
        statement(2) + pick(["; ", "; ", " && ", " | ", " | ", " || ", "\n"])
      }
      // What a process substitution executes may come later than the end of its line.
      return statements.joined() + pick([":", ":", ":", "sleep 0.01"])
    }

    mutating func statement(_ depth: Int) -> String {
      guard depth > 0 else { return simple() }
      switch Int.random(in: 0...13, using: &random) {
      case 0:
        let name = pick(["x", "y", "RANDOM"])
        return "for \(name) in \(word()); do \(statement(depth - 1)); done"
      case 1: return "{ \(statement(depth - 1)); }"
      case 2: return "(\(statement(depth - 1)))"
      case 3: return "if \(statement(depth - 1)); then \(statement(depth - 1)); fi"
      case 4: return "f () { \(statement(depth - 1)); }; f \(word())"
      case 5: return "function f { \(statement(depth - 1)); }; f \(word())"
      case 6:
        let loop = "while read \(pick(["x", "-r x", "y", "PS4"])); do \(statement(depth - 1)); done"
        return loop + pick(["", " < <(\(simple()))"])
      case 7: return "case \(word()) in a) \(statement(depth - 1));; esac"
      default: return simple()
      }
    }

    mutating func simple() -> String {
      var parts: [String] = []
      if Int.random(in: 0...3, using: &random) == 0 { parts.append(assignment()) }
      if Int.random(in: 0...4, using: &random) == 0 { parts.append(redirection()) }
      if Int.random(in: 0...4, using: &random) == 0 { parts.append(pick(Self.prefixes)) }
      parts.append(pick(Self.programs))
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        switch Int.random(in: 0...9, using: &random) {
        case 0: parts.append(redirection())
        case 1...3: parts.append(pick(Self.options))
        default: parts.append(word())
        }
      }
      return parts.joined(separator: " ")
    }

    mutating func assignment() -> String {
      let name = pick(["x", "x", "y", "X", "PS4", "BASH_ENV", "OPTIND", "ENV", "x[0]", "PS4[0]"])
      return name + pick(["=", "=", "+="]) + word()
    }

    mutating func redirection() -> String {
      pick([
        "2>&1", ">&2", ">/dev/null", "<&-", "2>/dev/null", "</dev/null", "&>o", "3<&0", ">|o",
        "> >(sh)", "> >(bash -s)", "< <(echo {})",
      ])
    }

    mutating func word() -> String {
      pick(Self.wordForms)
    }

    private static let prefixes = [
      "env", "command", "exec", "nohup", "nice", "timeout 1", "builtin", "time", "xargs", "!",
      "xargs -n1", "xargs -I%", "find . -maxdepth 0 -exec", "busybox", "stdbuf -o0", "setsid",
      "env -i", "env -u X", "env {}", "env x={}",
    ]
    private static let programs = [
      "sh", "bash", "dash", "sh -c", "bash -c", "eval", "echo", "echo", "echo", "printf", "test",
      "[", "export", "readonly", "read", "declare", "typeset", "let", "trap", "unset", "set",
      "set --", "shift", ":", "true", "cat", "x={}", "x={}", "y=\"{}\"", "x=$x", "export x={}",
      "\"$SHELL\"", "$SHELL -c", "$x", "\"$x\"", "env -S", ".", "source", "mapfile", "declare -i",
      "declare -n", "coproc", "wait", "local", "hash", "type", "sh script",
      "bash -c 'echo \"$1\"' _",
      "set -x;", "complete", "compgen", "getopts", "exec", "umask", "tee >(sh)", "tee >(cat)",
      "alias", "alias x={}",
      "cd", "mkdir -p ./{}; cd ./{};", "env", "env", "exit",
      "declare -ia x;",
      "eval \"echo $x\"", "sh -c \"ls $_\"", "x+={}", "x[0]={}", "bash -oo posix emacs",
      "sh -c 'eval \"$x\"'", "read -r x <",
    ]
    private static let options = [
      "-c", "-v", "-i", "-n", "-e", "-s", "-a", "-A", "-p", "-x", "-C", "-O", "--", "-", "-u", "-W",
      "-r", "-d", "-eq", "=", "-o", "!", "]", "EXIT", "x", "y", "%s", "a", "-I%", "%", "-ec", "+x",
      "+c", "-oo posix emacs", "-O extglob", "--norc", "-S", "PS4", "RANDOM", "-t",
    ]
    private static let wordForms = [
      "{}", "{}", "{}", "\"{}\"", "'{}'", "x{}", "{}x", "\"x{}\"", "\"a {}\"", "'a {}'", "x={}",
      "a[0]", "'a[{}]'", "\"$x\"", "$x", "'$x'", "\"$1\"", "$1", "\"$@\"", "$*", "'\"$1\"'",
      "'\"$@\"'",
      "\"$(echo {})\"", "$(echo {})", "\"$(echo $x)\"", "$((x))", "\"$((x+1))\"", "${x}",
      "\"a $x\"",
      "'eval \"$x\"'", "'echo \"$1\"'", "<(echo {})", "<(echo $x)", "\"${x%.*}\"", "${x:-a}",
      "${!x}",
      "${x:x}", "$[x]", "[[", "\"${x@P}\"", "%", "\"a %\"", "{.}", "{/}", "\"{/}\"", "sh", "~",
      "/dev/stdin", "'sh -c'", "\"{}{}\"", "$x{}", "\"$x{}\"", "-{}", "--x={}", "'x;{}'",
      "\"'{}'\"", "$PWD", "\"ls $PWD\"", "\"a $OLDPWD\"", "\"a $_\"", "$_", "\"${x[0]}\"", "./{}",
      "${PS4:=$x}", "'eval $x'", "'${x@P}'", "x+={}", "-{}",
    ]
  }

  @Test("no input is executed that a line does not refuse", arguments: CanaryShell.paths)
  func safe(shell: String) throws {
    let environment = ProcessInfo.processInfo.environment
    let seed = environment["SEED"].flatMap(UInt64.init) ?? 1
    var grammar = Grammar(random: SeededGenerator(seed: seed))
    var commands: [[UInt8]] = []
    let count = environment["COUNT"].flatMap(Int.init) ?? 300
    while commands.count < count {
      let line = grammar.line()
      // What is the user's own program executes what it should.
      guard let template = try? Template(command: [bytes(line)]), template.warning == nil
      else { continue }
      let inputs = Self.inputs.shuffled(using: &grammar.random).prefix(4)
      for input in inputs.map({ TemplateInput([$0], number: 1) })
      where template.refusal(of: input) == nil {
        commands.append(CanaryShell.line(of: template.command(input)))
      }
    }
    for index in try CanaryShell.culprits(commands, shell: shell) {
      Issue.record("seed \(seed): \(Printable.text(commands[index]))")
    }
  }
}
