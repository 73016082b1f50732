import Foundation
import PoolTestSupport
import Testing

/// Contract: no input becomes a command of a shell that the command starts, or of a builtin that it
/// uses; where that could be, the operation fails unexecuted.
@Suite("Programs inside a command")
struct NestedProgramTests {
  private static let shells = ["/bin/dash", "/bin/bash"]
    .filter(FileManager.default.isExecutableFile(atPath:))

  @Test("an input that is not plain fails its operation, once and unexecuted")
  func refusal() throws {
    let run = try Opool(
      ["map", "-k", "--retries", "3", "--results", "results", "--joblog", "log"]
        + ["sh -c \"echo {}\"", ":::", "a", "b c", "d"]
    ).run()
    run.expect("a\nd\n", exit: 1)
      .says("opool: 2 (b c): failed: 'sh' could read {} as a program, and the input has more ")
      .says("sh -c '…\"$1\"…' sh {}").says("--unsafe-nested")
    let result = try #require(try run.resultsByID()["2"])
    #expect(result.outcome == "failed" && result.cause == "error")
    #expect(result.attempt == 0 && result.started == nil)
    #expect(try #require(result.message).contains("--unsafe-nested"))
    let log = run.folder.text(of: "log").split(separator: "\n")
    #expect(log.count == 3)
  }

  @Test("with --unsafe-nested it is the same operation, and is executed")
  func unchecked() throws {
    let script = """
      opool map -qk --journal j 'sh -c "echo {}"' ::: a 'b  c' 2>/dev/null
      opool map --dry-run 'sh -c "echo {}"' ::: 'b  c'
      opool map -k --resume-failed --unsafe-nested --journal j 'sh -c "echo {}"' ::: a 'b  c'
      """
    try Opool.shell(script).run().expect(
      """
      a
      1\t1\tsh -c "echo "'b  c'""
      opool: 1 operation, 0 dependencies, 1 level, widest 1
      b c

      """,
      stderr: "opool: 2 succeeded (1 resumed) in T\n"
    )
  }

  private static let inputs = [
    "a b", "$(touch pwned)", "`touch pwned`", "'\"\\", "x\ny", ";touch pwned",
  ]

  /// What prints its input between two signs, as a line or as words.
  private static let safe: [[String]] = [
    ["printf '<%s>' {}; :"], ["printf", "<%s>", "{}"], ["printf '<%s>' \"{}\"; :"],
    ["sh -c 'printf \"<%s>\" \"$1\"' _ {}"], ["sh", "-c", "printf '<%s>' \"$1\"", "_", "{}"],
    ["sh -c 'printf \"<%s>\" \"$1\"' _ \"{}\""], ["sh ./script {}"], ["sh", "script", "{}"],
    ["bash -ec 'printf \"<%s>\" \"$1\"' _ {}; :"], ["env", "LANG=C", "bash", "script", "{}"],
    ["x={}; printf '<%s>' \"$x\""], ["sh -c 'printf \"<%s>\" \"$1\"' _ \"$(printf %s. {})\""],
    ["[ -n {} ] && printf '<%s>' {}"], ["for x in \"{}\"; do printf '<%s>' \"$x\"; done"],
  ]

  @Test("the safe forms take any input, as it is", arguments: shells, safe)
  func safeForms(shell: String, command: [String]) throws {
    let input = Self.inputs.map { $0 + "\0" }.joined()
    let dot = command.joined().contains("%s. ") ? "." : ""
    let run = try Opool(["map", "-k", "-0", "--shell", shell] + command)
      .file("script", "printf '<%s>' \"$1\"").stdin(input).run()
    run.expect(Self.inputs.map { "<\($0)\(dot)>" }.joined())
    #expect(try !run.folder.names().contains("pwned"))
  }
}
