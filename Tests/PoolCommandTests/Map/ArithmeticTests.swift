import PoolTestSupport
import PoolWire
import Testing

@testable import PoolCommand
@testable import PoolInputs

/// Contract: the number of an input, which is digits, may stand in arithmetic, where quotes may
/// not.
@Suite("Numbers in arithmetic")
struct ArithmeticTests {
  @Test("the number stands there as it is, and is quoted elsewhere")
  func number() throws {
    #expect(try filled("echo $(({#}+1)) {}; echo {#}>x") == "echo $((7+1)) 'a b'; echo '7'>x")
    #expect(try filled("echo {} {#} $((1 + ({#} * 2)))") == "echo 'a b' '7' $((1 + (7 * 2)))")
    #expect(try filled("echo \"$((a-({#})))\" '{}'") == "echo \"$((a-(7)))\" 'a b'")
    #expect(try filled("echo {} \"$(({#}))\"") == "echo 'a b' \"$((7))\"")
  }

  @Test(
    "an input does not, nor a number behind the expression, or in what is no expression",
    arguments: [
      "echo {} $(({}+1))", "echo {} $((1<2)) {#}", "echo {} $((ls) ) {#}", "echo {} $((a;b)) {#}",
      "echo {} `{#}`", "echo {} $( ({#}) ) ((1)) {#}",
      "echo {} x=({#})", "a[{}]=1", "[[ {} -gt 3 ]]", "true && [[ x -eq {} ]]", "unset a_1[{}]",
    ]
  )
  func refused(line: String) throws {
    #expect(try filled(line) == nil)
  }

  @Test(
    "patterns and comparisons of texts take an input",
    arguments: [
      "ls [{}]", "ls 1[a]{}", "ls a[b]{}", "[[ -f {} ]]", "[[ {} == b* ]]", "[ {} -gt 3 ]",
    ]
  )
  func texts(line: String) throws {
    #expect(try filled(line) != nil)
  }

  /// The line for an input; nil if it is refused.
  private func filled(_ line: String) throws -> String? {
    guard let template = try? Template(command: [bytes(line)]) else { return nil }
    let command = template.command(input: bytes("a b"), number: 7)
    guard case .shell(let text) = command.action else { return nil }
    return String(decoding: text, as: UTF8.self)
  }
}
