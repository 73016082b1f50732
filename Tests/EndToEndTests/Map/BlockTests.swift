import Foundation
import PoolTestSupport
import Testing

/// A stream or a file that is cut at records, each block the standard input of one command.
@Suite("opool map --pipe")
struct BlockTests {
  private static let numbers = (1...1_000).map { "\($0)\n" }.joined()

  /// A file is cut where a pipe would be.
  @Test(
    "Each execution reads one block of whole records",
    arguments: ["< .stdin", "0< .stdin cat | opool"]
  )
  func blocks(source: String) throws {
    let command = #"map -k --pipe --block 1k 'echo {#}:$(wc -c):$OPOOL_ID'"#
    let line =
      source.hasSuffix("opool") ? "cat .stdin | opool \(command)" : "opool \(command) \(source)"
    try Opool.shell(line).stdin(Self.numbers).run()
      .expect("1:1000:1\n2:1000:2\n3:1000:3\n4:893:4\n", stderr: "opool: 4 succeeded in T\n")
  }

  @Test("Bytes of any value arrive as they are, and the last record needs no end")
  func bytes() throws {
    let bytes = [0xEF, 0xBB, 0xBF] + Array("a\r\n\0\u{FF}".utf8) + [0xFF, 0x0A] + [0x0A, 0x78]
    for line in [
      "opool map -kq --pipe --block 3 cat < .stdin",
      "cat .stdin | opool map -kq --pipe --block 3 cat",
    ] {
      let run = try Opool.shell(line).stdin(bytes).run()
      #expect(run.stdoutBytes == bytes)
      run.expect(stderr: "")
    }
  }

  @Test("-N counts records, and --recstart and --recend say where they are")
  func records() throws {
    try Opool("map", "-k", "--pipe", "-N", "3", "tr '\\n' ' '; echo").stdin("1\n2\n3\n4\n5").run()
      .expect("1 2 3 \n4 5\n")
    try Opool("map", "-k", "--pipe", "--recstart", ">", "-N2", "tr '\\n' ' '; echo")
      .stdin(">a\n1\n>b\n>c\n").run().expect(">a 1 >b \n>c \n")
    try Opool("map", "-k", "--pipe", "--block", "2", "--recend", "\\0", "tr '\\0' ' '; echo")
      .stdin([0x61, 0, 0x62, 0, 0x63]).run().expect("a \nb \nc\n")
    try Opool("map", "-k", "--pipe", "--block", "3", "--recend", "", "cat; echo").stdin("abcd")
      .run()
      .expect("abc\nd\n")
  }

  @Test("A record that is longer than a block makes its block longer")
  func longRecord() throws {
    let long = String(repeating: "x", count: 3_000_000) + "\n"
    for line in [
      "opool map -k --pipe --block 1k 'wc -c' < .stdin",
      "cat .stdin | opool map -k --pipe --block 1k 'wc -c'",
    ] {
      try Opool.shell(line).stdin("a\n" + long + "b\n").run().expect("2\n3000001\n2\n")
    }
  }

  @Test("--pipepart cuts a file into a known number of parts, and opool reads little of it")
  func parts() throws {
    try Opool("map", "-k", "--pipepart", "--block", "-2", "-j2", "echo {#} $(wc -c)")
      .stdin(Self.numbers).run().expect("1 976\n2 972\n3 976\n4 969\n")
    try Opool.shell("yes | head -c 5M > f; opool map -kq --pipepart --block 2m cat < f | cmp - f")
      .run().expect("", stderr: "")
    try Opool.shell("cat .stdin | opool map --pipepart cat").stdin("a").run().expect("", exit: 2)
      .says("opool: --pipepart needs a regular file\n")
  }

  /// Each block would take minutes to read: the digests of blocks are part of a journal's keys.
  @Test(
    "Signals and the deadline end a run that reads its blocks for a journal",
    .timeLimit(.minutes(5)),
    arguments: [("-QUIT $!", 131), ("-TERM $!; kill -TERM $!", 143), ("-0 $!", 124)]
  )
  func signals(_ signals: String, _ code: Int32) throws {
    let deadline = code == 124 ? "--deadline 0.5" : ""
    let line = """
      truncate -s 200G f
      \(Opool.interruptible) opool map -q --pipepart -a f --recend '' --block 90G --journal j \\
        \(deadline) true &
      while ! test -s j; do :; done
      kill \(signals); wait $!
      """
    try Opool.shell(line).run().expect("", exit: code)
  }

  @Test("-a names the file, and -0 and -d an end of records")
  func files() throws {
    let opool = try Opool("map", "-k", "--pipe", "-a", "f", "--block", "2", "cat").file(
      "f",
      "1\n2\n"
    )
    try opool.run().expect("1\n2\n")
    try opool.again("map", "--pipepart", "-a", "g", "cat").run().expect("", exit: 2)
      .says("opool: 'g' cannot be read: No such file or directory\n")
    try opool.again("map", "--pipe", "-a", ".", "cat").run().expect("", exit: 2).says("'.'")
    try opool.again("map", "--pipe", "-a", "f", "-a", "f", "cat").run().expect("", exit: 2)
      .says("opool: blocks are of one source\n")
    try opool.again("map", "--pipe", "-a", "f", "cat").stdout(to: opool.folder.path(of: "f")).run()
      .expect(exit: 2)
    try Opool("map", "-k", "--pipe", "-0", "--block", "2", "tr '\\0' ' '; echo").stdin([
      0x61, 0, 0x62,
    ]).run()
      .expect("a \nb\n")
    try Opool("map", "-k", "--pipe", "-d", ";", "-N1", "cat; echo").stdin("a;b").run().expect(
      "a;\nb\n"
    )
  }

  /// Programs that share the descriptor go on behind what was cut.
  @Test("A file is cut from where the descriptor stands, and is read to its end")
  func offset() throws {
    try Opool.shell("{ head -c 4 >&2; opool map -kq --pipe cat; cat; } < .stdin").stdin("1\n2\n3\n")
      .run()
      .expect("3\n", stderr: "1\n2\n")
  }

  @Test("An empty input executes nothing, and says so", arguments: ["--pipe", "--pipepart"])
  func empty(option: String) throws {
    try Opool("map", option, "touch pwned").run()
      .expect("", stderr: "opool: the standard input is empty\nopool: 0 succeeded in T\n")
  }

  @Test("A command need not read its block")
  func unread() throws {
    try Opool.shell("yes | head -c 9M | opool map -q --pipe --block 4M 'head -n1'").run()
      .expect("y\ny\ny\n", stderr: "")
    try Opool.shell("yes | head -c 9M > f; opool map -q --pipe --block 4M 'head -n1' < f").run()
      .expect("y\ny\ny\n", stderr: "")
    try Opool.shell("yes | head -c 9M > f; opool map -q --pipe --block 4M true < f").run()
      .expect("", stderr: "")
  }

  @Test("A second attempt reads the same block", arguments: ["cat .stdin |", "< .stdin"])
  func retries(source: String) throws {
    let command = "opool map -kq --retries 1 --pipe --block 2 'cat; test $OPOOL_ATTEMPT = 2'"
    let line = source.hasPrefix("<") ? "\(command) \(source)" : "\(source) \(command)"
    try Opool.shell(line).stdin("1\n2\n3\n").run().expect("1\n2\n3\n")
  }

  /// The key is the digest of the block's bytes, wherever it is in the input.
  @Test("--resume executes what is new, and what is no longer where it was counts as done")
  func resume() throws {
    let words = ["map", "-k", "--pipe", "--block", "2", "--journal", "j"]
    let first = try Opool(words + ["cat"]).stdin("1\n2\n3\n").run().expect("1\n2\n3\n")
    let options = words.joined(separator: " ") + " --resume --same-folder"
    let line = "printf '0\\n1\\n2\\n3\\n4\\n' | opool \(options) cat"
    let again = try Opool.shell("cp '\(first.folder.path)/j' . && \(line)").run()
    again.expect("0\n4\n").says("3 resumed")
  }

  @Test("A failure names the bytes of its block")
  func failure() throws {
    try Opool("map", "--pipe", "--block", "2", "read x; test $x != 2").stdin("1\n2\n3\n").run()
      .expect("", exit: 1).says("opool: 2 (bytes 2-3): failed: exit code 1: ")
  }

  @Test("A dry run cuts the input, and executes nothing")
  func dryRun() throws {
    try Opool("map", "--pipe", "--dry-run", "--block", "2", "touch pwned; cat {#}").stdin("1\n2\n")
      .run()
      .expect(
        "1\t1\ttouch pwned; cat '1'\n1\t2\ttouch pwned; cat '2'\n"
          + "opool: 2 operations, 0 dependencies, 1 level, widest 2\n"
      )
  }

  @Test("A file that is shortened while it is read makes its operation fail")
  func shortened() throws {
    let run = "opool map --pipe --block 8M 'truncate -s 3M f; wc -c' < f"
    try Opool.shell("yes | head -c 8M > f; \(run)").run().expect("3145728\n", exit: 1)
      .says("its standard input is incomplete: the file was shortened meanwhile")
  }

  @Test(
    "What cannot be meant is refused",
    arguments: [
      (["--pipe", "echo", "{}"], "{} stands for no block: a command reads it from standard input"),
      (["--pipe", "cat", ":::", "a"], "inputs after ':::' are no blocks"),
      (["--block", "1M", "cat"], "--block is for blocks"),
      (["--pipe", "--block", "0", "cat"], "--block needs a size such as 64K or 10M"),
      (["--pipe", "--block", "1X", "cat"], "--block needs a size such as 64K or 10M"),
      (["--pipe", "--block", "-2", "cat"], "a number of blocks for each slot needs the size"),
      (["--pipepart", "-N2", "cat"], "-N counts records, which --pipepart does not read"),
      (["--pipe", "--recend", "\\q", "cat"], "--recend needs a text of at most 1024 bytes"),
    ]
  )
  func refusals(arguments: [String], message: String) throws {
    try Opool(["map"] + arguments).stdin("a\n").run().expect("", exit: 2).says("opool: \(message)")
  }

  /// Their descriptor would be of no use there: the bytes are sent.
  @Test("Workers that were started by a command get blocks, too")
  func foreignWorkers() throws {
    try Opool("map", "-k", "--worker", "2:opool-worker", "--pipe", "--block", "1k", "wc -c")
      .stdin(Self.numbers).run().expect("1000\n1000\n1000\n893\n")
  }
}
