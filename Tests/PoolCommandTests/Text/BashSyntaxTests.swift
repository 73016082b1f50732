import PoolWire
import Testing

@testable import PoolCommand
@testable import PoolInputs

/// Contract: what only bash understands is named with what to write.
@Suite("Words of bash")
struct BashSyntaxTests {
  private let unknown = BashSyntax(
    environment: ["BASH_FUNC_go%%=() {  :\n}", "BASH_FUNC_no=x", "A=1"].map { bytes($0)[...] },
    isKnownToShell: false
  )

  @Test(
    "A line that /bin/sh may not read has its sign named",
    arguments: [
      ("source ./x && echo {}", "source"), ("[[ {} == a ]]", "[["),
      ("if [[ -f {} ]]; then :; fi", "[["),
      ("a; A=1 declare -x B", "declare"), ("diff <(echo {}) b", "<("), ("tee >(cat) < {}", ">("),
      ("cat <<< {}", "<<<"), ("echo {} &> f", "&>"), ("echo {} |& cat", "|&"),
      ("echo $'a' {}", "$'"),
      ("[ {} == a ]", "=="),
    ]
  )
  func signs(line: String, sign: String) {
    #expect(
      unknown.hint(for: .shell(bytes(line)))
        == "'\(sign)' belongs to bash, and /bin/sh may not know it; write --shell bash"
    )
    let known = BashSyntax(environment: [], isKnownToShell: true)
    #expect(known.hint(for: .shell(bytes(line))) == nil)
  }

  @Test(
    "What other shells read, and what is quoted, is no sign of bash",
    arguments: [
      "cp source {}", "echo '[[' \"source\" '<(' {}", "[ {} = a ]", "echo a 2>&1 | cat && b",
      "a & > b",
      "grep [[:alpha:]] {}", "echo \\<(a", "test a = b; echo ==", "echo \"$'\"",
      "awk '{ print $1 }' {}",
    ]
  )
  func others(line: String) {
    #expect(unknown.hint(for: .shell(bytes(line))) == nil)
  }

  @Test("A function that bash has exported is named, whatever /bin/sh is")
  func functions() {
    let known = BashSyntax(
      environment: [bytes("BASH_FUNC_go%%=() {  :\n}")[...]],
      isKnownToShell: true
    )
    for syntax in [known, unknown] {
      let hint = "'go' is a function of bash; write --shell bash"
      #expect(syntax.hint(for: .run(["go", "{}"].map(bytes))) == hint)
      #expect(syntax.hint(for: .shell(bytes("echo a | go {}"))) == hint)
      #expect(syntax.hint(for: .run(["echo", "go"].map(bytes))) == nil)
      #expect(syntax.hint(for: .run(["no"].map(bytes))) == nil)
    }
  }
}
