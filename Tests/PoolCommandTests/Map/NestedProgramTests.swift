import PoolTestSupport
import Testing

@testable import PoolCommand

/// Contract: where a program of the command reads its arguments as shell text, an input inside such
/// a text is refused, and one that is the text is announced.
@Suite("Programs inside a command")
struct NestedProgramTests {
  @Test(
    "an input inside a program's text is refused",
    arguments: [
      ["sh", "-c", "gzip {}"], ["bash", "-ec", "cat {.}.txt"], ["/bin/dash", "-c", "{}{}"],
      ["env", "LANG=C", "sh", "-e", "-c", "ls {}"], ["sh -c 'gzip {}'"], ["sh -c \"gzip '{}'\""],
      ["eval echo x{}"], ["cd /tmp && eval \"echo {}\""], ["x=1 eval a{}"], ["! bash -c a{/}"],
      ["if true; then eval 'a {}'; fi"], ["(eval a{})"], ["true|eval a{}"],
    ]
  )
  func part(command: [String]) {
    #expect(throws: UsageError.self) { try Template(command: command.map(bytes)) }
  }

  @Test(
    "an input that is the program is announced",
    arguments: [
      ["sh", "-c", "{}"], ["sh -c"], ["sh", "-c"], ["bash -c '{}' x"], ["eval {}"], ["eval"],
    ]
  )
  func whole(command: [String]) throws {
    let template = try Template(command: command.map(bytes))
    #expect(template.warning?.hasPrefix("each input is executed as a command line, by '") == true)
  }

  @Test(
    "an argument of the program, its number and other words are what they look like",
    arguments: [
      ["sh", "-c", "gzip \"$1\"", "sh", "{}"], ["sh", "-c", "echo {#} \"$1\"", "sh"],
      ["grep", "eval", "{}"], ["grep sh -c x{}"], ["grep", "zsh", "-c", "a{}"], ["echo eval {}"],
      ["evaluate {}"], ["sh", "{}"], ["sh x.sh -c {}"], ["bash --rcfile {}"], ["git -c x={} eval"],
      ["echo 'eval {}'"], ["echo \\; eval {}"],
    ]
  )
  func other(command: [String]) throws {
    #expect(try Template(command: command.map(bytes)).warning == nil)
  }
}
