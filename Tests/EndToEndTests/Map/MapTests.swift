import Foundation
import PoolTestSupport
import Testing

/// One command for each input, by the real programs.
@Suite("opool map")
struct MapTests {
  /// The input stands where the placeholder is, or last.
  @Test("Each input is one word of one command")
  func inputs() throws {
    try Opool("map", "-k", "echo \"[{}]\"").stdin("a b\n\nc\n").run()
      .expect("[a b]\n[]\n[c]\n", stderr: "opool: 3 succeeded in T\n")
    try Opool("map", "-k", "echo", "-n", "[{}]", ":::", "a b", "$HOME").run()
      .expect("[a b][$HOME]", stderr: "opool: 2 succeeded in T\n")
    try Opool("map", "-k", "echo", "last", ":::", "1", "2").run().expect("last 1\nlast 2\n")
    try Opool("map", "-k", "echo last").stdin("1\n2").run().expect("last 1\nlast 2\n")
  }

  @Test("Lines before one that has a NUL are executed")
  func unusableLine() throws {
    try Opool("map", "-k", "echo").stdin("a\nb\nc\0c\nd\n").run().expect("a\nb\n", exit: 2)
      .says("opool: line 3: it contains a NUL, which no argument can hold\n")
      .says("opool: 2 succeeded in T\n")
  }

  /// Each form, in an argv and in a shell line.
  @Test("Placeholders stand for parts of the input")
  func placeholders() throws {
    let input = "dir/photo.tar.gz"
    let expected = "dir/photo.tar.gz dir/photo.tar photo.tar.gz dir photo.tar 1\n"
    let words = ["{}", "{.}", "{/}", "{//}", "{/.}", "{#}"]
    try Opool("map", "echo", words.joined(separator: " "), ":::", input).run().expect(expected)
    try Opool("map", "echo \(words.joined(separator: " ")); :", ":::", input).run()
      .expect(expected)
  }

  /// Whatever an input holds, it stays one word: nothing is executed, expanded or lost.
  @Test("No input becomes syntax")
  func hostile() throws {
    let inputs = [
      "$(touch pwned)", "`touch pwned`", "; touch pwned", "' ; touch pwned ; '", "\" & touch pwned",
      "*", "~", "$HOME", "a\\", "-n", "--help", ":::", "{}", "{#}", "#", "!!", "a\tb", "ü 日本 🙂",
    ]
    let lines = inputs.map { $0 + "\n" }.joined()
    let shell = try Opool("map", "-k", "printf '%s\\n' {}; :").stdin(lines).run().expect(lines)
    #expect(try shell.folder.names().contains("pwned") == false)
    let argv = try Opool("map", "-k", "printf", "%s\\n", "{}").stdin(lines).run().expect(lines)
    #expect(try argv.folder.names().contains("pwned") == false)
    let quoted = try Opool("map", "-k", "printf '%s\\n' \"$(printf %s {})\"").stdin(lines).run()
    quoted.expect(lines)
    #expect(try quoted.folder.names().contains("pwned") == false)
  }

  /// Bytes that no decoder accepts reach the command as they are, from either source.
  @Test("Inputs that are not UTF-8 arrive unchanged")
  func bytes() throws {
    let input: [UInt8] = [0x66, 0xFF, 0x20, 0xC3]
    let fromStdin = try Opool("map", "printf %s {}").stdin(input).run().expect()
    #expect(fromStdin.stdoutBytes == input)
    let words = ["map", "printf", "%s", "{}", ":::"].map { Array($0.utf8) }
    let fromArgument = try Opool(bytes: words + [input]).run().expect()
    #expect(fromArgument.stdoutBytes == input)
  }

  /// The others may be another job's, and their use would be no gain.
  @Test(
    "As many execute at once as there are processors that it may run on",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/taskset"))
  )
  func affinity() throws {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let allowed = try #require(status.firstMatch(of: /Cpus_allowed_list:\s*([0-9]+)/)?.1)
    let inputs = (1...20).map { "\($0)\n" }.joined()
    let run = try Opool.shell("exec taskset -c \(allowed) opool map --results results true")
      .stdin(inputs).run().expect("")
    #expect(try Set(run.results().map(\.worker)) == [1])
  }

  /// Nothing to do is nothing wrong.
  @Test("No input is no operation")
  func empty() throws {
    try Opool("map", "touch", "ran").run().expect("").says("the standard input is empty")
      .says("opool: 0 succeeded in T\n")
  }

  /// Two may execute, so each of the two waits for the other; of a third there is no trace.
  @Test("-j bounds how many execute at once, and lets so many")
  func width() throws {
    let pair = try Opool(
      "map",
      "-j2",
      "mkdir at-{} 2>/dev/null; until [ -d at-1 ] && [ -d at-2 ]; do :; done",
      ":::",
      "1",
      "2"
    )
    try pair.run().expect("")
    // A folder can be made only once: an overlap would fail.
    let line = "mkdir lock && ls > seen && rmdir lock; :"
    try Opool("map", "-j1", line).stdin((1...50).map { "\($0)\n" }.joined()).run()
      .expect("", stderr: "opool: 50 succeeded in T\n")
  }

  /// The first waits for the last, so its output is the last to come and must be the first out.
  @Test("-k prints in the order of the inputs")
  func order() throws {
    let line = "case {} in 1) read x < go;; 40) echo > go;; esac; echo {}; echo e{} >&2"
    let command = try Opool("map", "-k", "-j2", line)
    try RunningOpool.makePipe(command.folder.path(of: "go"))
    let run = try command.stdin((1...40).map { "\($0)\n" }.joined()).run()
    run.expect((1...40).map { "\($0)\n" }.joined())
    #expect(run.stderr == (1...40).map { "e\($0)\n" }.joined() + "opool: 40 succeeded in T\n")
  }

  /// While something executes for long, all others go on beside it, however short they are.
  @Test("Nothing waits behind an operation that executes for long")
  func noWaitBehindLongOnes() throws {
    let script = """
      mkfifo go
      seq 400 | opool map -q -j2 'if [ {} = 1 ]; then read x < go; elif [ {} = 400 ]; then
        echo > go; fi'
      """
    try Opool.shell(script).run().expect("", stderr: "")
  }

  /// `-n` shows what would be executed and executes nothing.
  @Test("-n plans, and with -q gives only the verdict")
  func dryRun() throws {
    let verdict = "opool: 2 operations, 0 dependencies, 1 level, widest 2\n"
    let plan = "1\t1\ttouch a\n1\t2\ttouch 'b c'\n"
    let run = try Opool("map", "--dry-run", "touch", ":::", "a", "b c").run()
    run.expect(plan + verdict, stderr: "")
    #expect(try run.folder.names().contains("a") == false)
    try Opool("map", "--dry-run", "-q", "touch", ":::", "a", "b c").run().expect(
      verdict,
      stderr: ""
    )
  }

  /// Outputs belong to the operations; the run itself says nothing, or more.
  @Test("-q says nothing but errors, -v says what happens")
  func verbosity() throws {
    try Opool("map", "-q", "echo", ":::", "a").run().expect("a\n", stderr: "")
    try Opool("map", "-q", "false", ":::", "a").run()
      .expect("", stderr: "opool: 1 (a): failed: exit code 1: false a\n", exit: 1)
    try Opool("map", "-v", "-j1", "echo", ":::", "a").run()
      .expect("a\n")
      .says("opool: 1: executing on worker 1: echo a\n").says("opool: 1: succeeded\n")
      .says("opool: worker 1 (pid P) exited with code 0\n")
  }

  /// Wrong words are told before anything is read or executed.
  @Test("A usage error is exit code 2")
  func usage() throws {
    for arguments in [["map"], ["map", "-j0%", "true"], ["map", "--nope", "true"], ["mop"], []] {
      let run = try Opool(bytes: arguments.map { Array($0.utf8) }).run().expect("", exit: 2)
      #expect(run.stderr.hasPrefix("opool: "), "\(arguments): \(run.stderr)")
    }
  }

  /// Help and version are outputs like any other.
  @Test("--help and --version print and succeed")
  func help() throws {
    for arguments in [["--help"], ["map", "--help"], ["run", "-h"], ["--version"]] {
      let run = try Opool(bytes: arguments.map { Array($0.utf8) }).run().expect(stderr: "")
      #expect(run.stdout.hasPrefix("opool") || run.stdout.hasPrefix("Usage: opool"))
    }
  }
}
