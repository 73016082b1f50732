import Foundation
import PoolModel
import PoolTestSupport
import PoolWire
import Testing

@testable import PoolCommand
@testable import PoolInputs

/// Contract: whatever command line a user makes up, either it is refused, or no input can make
/// the shell execute something that the line does not say.
///
/// `SEED` and `COUNT` in the environment try others, and more.
@Suite("Random templates")
struct RandomTemplateTests {
  private static let tokens = [
    "'", "\"", "\\", "$", "(", ")", "$(", "`", "#", "\n", " ", "  ", ";", "&", "|", "<", "<<", "{}",
    "{}", "{}", "{.}", "{/}", "${x}", "${x", "}", "$((", "))", "case a in a)", ";; esac", "a",
    "echo ", "echo ", ":", "X", "\nX\n", "x=", "'a'", "\"a\"", "$'", "$\"", "!", "[", "]", "$[",
    "{ ", "; }", "if :; then ", "; fi", "é", "$#", "$$", "-",
    "cat <<X\n", "cat <<X\n{}\nX\n", "`echo ", "`{}`", "\\\n", "<\\\n<X\n", "$\\\n(", "$'a\\'",
    "\"$(", ")\"", "\"${x:-", "}\"", "case a in (a)", "\"$(case a in a) echo {};; esac)\"",
    ";; esac)\"",
    "\"${x:-'}\" ", "x=(", "f() ", "[[ ", " ]]", "\"$(\"",
    "# it's\n",
  ]

  /// Would make the file `pwned` in any place where a shell read them as more than text.
  private static let inputs = [
    "$(touch pwned)", "`touch pwned`", ";touch pwned;", "\ntouch pwned\n", "';touch pwned;'",
    "\";touch pwned;\"", "a[$(touch pwned)]", "';touch pwned #", ")\ntouch pwned\n(",
    "\"';touch pwned;:'\"", "\\';touch pwned;:\\'", "\nX\ntouch pwned\n", "}\";touch pwned;#",
    "`;touch pwned;`", "\\';touch pwned;#", "`;touch pwned #",
  ].map(bytes)

  private func line(_ random: inout SeededGenerator) -> [UInt8] {
    let count = Int.random(in: 1...12, using: &random)
    return (0..<count).flatMap { _ in bytes(Self.tokens.randomElement(using: &random) ?? "") }
  }

  /// Command lines that were accepted, filled in.
  private func commands(_ random: inout SeededGenerator, count: Int) -> [[UInt8]] {
    var commands: [[UInt8]] = []
    while commands.count < count {
      // One input, or two, for each of which words are repeated or not.
      var fields = FieldLayout(count: Int.random(in: 1...2, using: &random))
      fields.repeatsWords = Bool.random(using: &random)
      guard let template = try? Template(command: [line(&random)], fields: fields) else { continue }
      let inputs = (0..<(fields.count ?? 1)).map { _ in
        Self.inputs.randomElement(using: &random) ?? []
      }
      let input = TemplateInput(inputs, number: 1)
      guard template.refusal(of: input) == nil else { continue }
      let command = template.command(input)
      guard case .shell(let filled) = command.action else { continue }
      commands.append(filled)
    }
    return commands
  }

  @Test(
    "No accepted template executes a hostile input",
    arguments: CanaryShell.paths
  )
  func safe(shell: String) throws {
    let seed = ProcessInfo.processInfo.environment["SEED"].flatMap(UInt64.init) ?? 1
    var random = SeededGenerator(seed: seed)
    let count = ProcessInfo.processInfo.environment["COUNT"].flatMap(Int.init) ?? 150
    let commands = commands(&random, count: count)
    for index in try CanaryShell.culprits(commands, shell: shell) {
      Issue.record("seed \(seed): \(Printable.text(commands[index]))")
    }
  }
}
