import Foundation
import PoolSystem
import PoolTestSupport
import Testing

/// The tests that GNU parallel's page about its alternatives puts to each of them.
@Suite("The stress list of GNU parallel")
struct StressTests {
  /// Halves of lines, with other operations between them, come out whole.
  @Test("MIX: outputs of operations that execute at the same time do not mix")
  func mix() throws {
    let line = """
      for i in 1 2 3 4 5 6 7 8; do printf "{}{}{}"; printf "{}{}\\n"; head -c 20000 /dev/zero |
        tr "\\\\0" {}; echo; done
      """
    let inputs = ["a", "b", "c", "d", "e", "f", "g", "h"]
    let run = try Opool(["map", "-q", "-j8", line, ":::"] + inputs).run().expect(stderr: "")
    let blocks = run.stdout.split(separator: "\n")
    #expect(blocks.count == 8 * 16)
    for start in stride(from: 0, to: blocks.count, by: 16) {
      let letters = Set(blocks[start..<start + 16].joined())
      #expect(letters.count == 1, "a block holds the letters \(letters)")
    }
    #expect(Set(run.stdout) == Set(inputs.joined() + "\n"))
  }

  /// A command that wants both in one stream redirects them itself.
  @Test("STDERRMERGE: error output is not merged into the output")
  func stderrMerge() throws {
    try Opool("map", "-q", "echo out; echo err >&2; : {}", ":::", "1").run()
      .expect("out\n", stderr: "err\n")
    try Opool("map", "-q", "(echo out; echo err >&2) 2>&1; : {}", ":::", "1").run()
      .expect("out\nerr\n", stderr: "")
  }

  /// Nothing is left where temporary files go, not even for the time of a run.
  @Test("CLEANUP: no temporary file is ever to be seen")
  func cleanup() throws {
    let line = "head -c 1000000 /dev/zero; ls -A \"$TMPDIR\" >&2; : {}"
    try Opool("map", "-q", line, ":::", "1", "2").run().expect(stderr: "")
  }

  /// Killed in the middle of a large output, it takes that along.
  @Test("CLEANUP: a run that is killed leaves no temporary file either")
  func cleanupAfterKill() throws {
    let line = "head -c 1000000 /dev/zero; echo up > up; sleep 1000; : {}"
    let command = try Opool("map", line, ":::", "1")
    try RunningOpool.makePipe(command.folder.path(of: "up"))
    let running = try command.start()
    #expect(try running.read(pipe: "up") == "up\n")
    running.signal(.kill)
    try running.wait().expectNothingLeft()
  }

  /// The page's own name, as a file.
  @Test("SPCCHAR: special characters in names are no trouble")
  func specialCharacters() throws {
    let name = "My brother's 12\" *** record  (space),&$;|<>`\\#~!.txt"
    let command = try Opool("map", "-q", "cat {} && cat {.}.txt", ":::", name)
    try command.file(name, "content\n").run().expect("content\ncontent\n", stderr: "")
    try Opool("map", "-q", "cat", ":::", name).file(name, "content\n").run()
      .expect("content\n", stderr: "")
  }

  /// Pipes, redirections and several commands.
  @Test("COMPOSED: a shell line may be composed")
  func composed() throws {
    try Opool("map", "-q", "-k", "echo {} | tr a-z A-Z > {}.up; cat {}.up && echo done || echo no")
      .stdin("x\ny\n").run().expect("X\ndone\nY\ndone\n", stderr: "")
  }

  /// The same placeholder again and again, in one word.
  @Test("ONEREP: a placeholder may be repeated")
  func repeated() throws {
    try Opool("map", "-q", "echo", "{}{}-{}", ":::", "a b").run().expect("a ba b-a b\n", stderr: "")
    try Opool("map", "-q", "echo {}{}-{}; :", ":::", "a  b").run()
      .expect("a  ba  b-a  b\n", stderr: "")
  }

  /// 100 KB in one word is what a command line takes; more is refused by the system, with a name.
  @Test("INPUTSIZE: long inputs are passed whole, and too long ones fail with a reason")
  func inputSize() throws {
    let long = String(repeating: "x", count: 100_000)
    try Opool("map", "-q", "printf", "%s", "{}").stdin(long).run().expect(long, stderr: "")
    try Opool("map", "-q", "printf", "%s", "{}").stdin(long + long).run()
      .expect("", exit: 1).says(
        ": failed: its word 3 has 200000 bytes, and this system hands a program at most 13"
      )
  }

  /// One operation a line, and no limit on lines.
  @Test("NUMWORDS: each line is one operation, however many there are")
  func numberOfWords() throws {
    let inputs = (1...3_000).map { "\($0) x\n" }.joined()
    try Opool("map", "-q", "-k", "echo {}").stdin(inputs).run().expect(inputs, stderr: "")
  }
}
