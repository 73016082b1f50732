import PoolWire
import Testing

@testable import PoolCommand
@testable import PoolInputs

/// Contract: help, completions and the manual page say the same, since they are made of one table.
@Suite("Completions and the manual page")
struct ReferenceTests {
  @Test(
    "every subcommand and every spelling of an option is in all of them",
    arguments: Shell.allCases
  )
  func shells(_ shell: Shell) {
    let words = words(shell.completions)
    for subcommand in Subcommand.allCases {
      #expect(words.contains(subcommand.rawValue), "\(shell): \(subcommand)")
      for word in subcommand.words { #expect(words.contains(word), "\(shell): \(word)") }
    }
    for (option, topic) in pairs {
      for spelling in option.spellings(in: topic) {
        #expect(words.contains(shell == .fish ? fish(spelling) : spelling), "\(shell): \(spelling)")
      }
    }
  }

  @Test("the manual page has every option, field, variable, placeholder and exit code")
  func manual() {
    let page = ManualPage.text
    let text = page.replacing("\\-", with: "-").replacing("\\(aq", with: "'")
    for (option, topic) in pairs {
      for spelling in option.spellings(in: topic) {
        #expect(words(text).contains(spelling), "\(spelling)")
      }
    }
    for field in ManifestField.allCases {
      #expect(text.contains("\n.B \(field.name)\n"), "\(field)")
    }
    for variable in ExecutionVariable.allCases {
      #expect(text.contains("\n.B \(variable.rawValue)\n"))
    }
    for code in ExitCode.allCases { #expect(text.contains("\(code.rawValue)"), "\(code)") }
    for topic in HelpTopic.allCases where topic != .journal {
      for line in topic.text.split(separator: "\n") where line.firstMatch(of: /^  {[^"]/) != nil {
        #expect(text.contains(line), "\(line)")
      }
    }
    #expect(!page.contains("\n'"), "no line is a request by accident")
  }

  @Test("a summary is the beginning of an option's help, one line without a bracket")
  func summaries() {
    for option in Option.allCases {
      #expect(option.row.help.hasPrefix(option.summary))
      #expect(option.summary.last != " " && option.summary.count > 5, "\(option)")
    }
  }

  /// Each option with each subcommand that has it.
  private var pairs: [(Option, HelpTopic)] {
    [HelpTopic.run, .map].flatMap { topic in Option.all(in: topic).map { ($0, topic) } }
  }

  /// The words of a script, without the signs around them.
  private func words(_ text: String) -> Set<String> {
    Set(text.split { " \n'\"|)([:,\\".contains($0) }.map(String.init))
  }

  /// As fish wants it: without dashes.
  private func fish(_ spelling: String) -> String { String(spelling.trimmingPrefix(/-+/)) }
}
