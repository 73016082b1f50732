import Foundation
import PoolModel
import PoolSystem
import PoolTestSupport
import Testing

/// Lines are printed while their commands execute.
@Suite("Outputs printed by line")
struct LineBufferTests {
  /// A script that has two named pipes: `out`, which it reads as 8, and `go`, for which commands
  /// wait.
  private func piped(_ script: String) throws -> Opool {
    try Opool.shell("mkfifo out go; \(script)")
  }

  /// The command cannot end before its line was read.
  @Test(
    "A line is printed while its command executes, by any worker",
    arguments: ["", "--worker 1:opool-worker"]
  )
  func early(_ worker: String) throws {
    try piped(
      """
      opool map -q --line-buffer \(worker) 'echo {}; cat go' ::: a >out & exec 8<out
      read -r line <&8; echo "early: $line"
      echo late >go; cat <&8; wait $!; echo $?
      """
    ).run().expect("early: a\nlate\n0\n", stderr: "")
  }

  @Test("A line of the standard error is printed to the standard error at once")
  func earlyError() throws {
    try piped(
      """
      opool map -q --lb 'echo out; echo {} >&2; cat go >&2' ::: a 2>out >o & exec 8<out
      read -r line <&8; echo "early: $line"
      echo late >go; cat <&8; wait $!; cat o
      """
    ).run().expect("early: a\nlate\nout\n", stderr: "")
  }

  @Test("A command of a manifest is live, too, and what another takes as its input is whole")
  func manifest() throws {
    try piped(
      """
      opool run -q --lb --tag m >out & exec 8<out
      read -r line <&8; echo "early: $line"
      echo late >go; cat <&8
      """
    ).file(
      "m",
      """
      {"id": "first", "shell": "echo 1; cat go"}
      {"id": "second", "shell": "cat $OPOOL_INPUT_x", "inputs": {"x": "first"}}
      """
    ).run().expect("early: first\t1\nfirst\tlate\nsecond\t1\nsecond\tlate\n", stderr: "")
  }

  /// Each of two commands writes half a line, and the rest when both have.
  @Test("Lines of several commands mix, and are whole")
  func whole() throws {
    let run = try Opool(
      "map",
      "-q",
      "-j2",
      "--line-buffer",
      "for i in $(seq 300); do printf '{} %s' \"$i\"; echo \" {}\"; done",
      ":::",
      "a",
      "b"
    ).run()
    run.expect(stderr: "")
    let lines = run.stdout.split(separator: "\n").map(String.init)
    for name in ["a", "b"] {
      #expect(lines.filter { $0.hasPrefix(name) } == (1...300).map { "\(name) \($0) \(name)" })
    }
    #expect(lines.count == 600)
  }

  @Test("A last line without a line feed is printed at the end, and nothing is added")
  func unfinished() throws {
    try Opool("map", "-q", "--lb", "printf %s {}", ":::", "a").run().expect("a", stderr: "")
    try Opool("map", "-q", "--lb", "printf 'x\\n%s' {} >&2", ":::", "a").run()
      .expect("", stderr: "x\na")
  }

  @Test("Any bytes, and lines of megabytes, arrive as they were written")
  func bytes() throws {
    let run = try Opool.shell(
      """
      head -c 3000000 /dev/urandom >a
      opool map -q --line-buffer cat ::: a >b; cmp a b; echo $?
      opool map -q --line-buffer 'head -c 5000000 /dev/zero | tr "\\0" {}' ::: x | wc -c
      """
    ).run()
    run.expect("0\n5000000\n", stderr: "")
  }

  @Test("With -k only the first is live, and the next is printed when its turn comes")
  func ordered() throws {
    try piped(
      """
      mkfifo two
      opool map -q -k -j2 --line-buffer 'echo {}; [ {} = b ] && echo >two; cat go{}' ::: a b >out &
      mkfifo goa gob; exec 8<out
      read -r line <two; read -r line <&8; echo "early: $line"
      echo end >goa; read -r line <&8; echo "$line"
      read -r line <&8; echo "its turn: $line"
      echo end >gob; cat <&8
      """
    ).run().expect("early: a\nend\nits turn: b\nend\n", stderr: "")
  }

  @Test("Every attempt is printed, and a message divides them")
  func attempts() throws {
    let run = try Opool.shell(
      "opool map --lb --retries 1 'echo {} $OPOOL_ATTEMPT; [ $OPOOL_ATTEMPT = 2 ]' ::: a 2>&1"
    ).run()
    #expect(
      run.stdout.hasPrefix(
        "a 1\nopool: 1 (a): attempt 1: exit code 1; trying again\na 2\nopool: 1 succ"
      )
    )
    // More of them than are listed otherwise.
    let many = try Opool.shell(
      """
      opool map --lb --retries 1 'echo {}; [ $OPOOL_ATTEMPT = 2 ]' ::: $(seq 30) 2>&1 >/dev/null
      """
    ).run()
    #expect(many.stdout.matches(of: /trying again/).count == 30)
  }

  @Test("Results and dependents have the same as ever, and the excerpt is as long")
  func results() throws {
    let command = "seq 20000; echo {} >&2"
    let live = try Opool("map", "-q", "--lb", "--results", "results", command, ":::", "a").run()
    let kept = try Opool("map", "-q", "--results", "results", command, ":::", "a").run()
    let (first, second) = (try live.results()[0], try kept.results()[0])
    #expect(first.stdout.bytes == second.stdout.bytes)
    #expect(first.stderr.bytes == Array("a\n".utf8))
    #expect(first.stdoutBytes == 108_894 && second.stdoutBytes == 108_894)
    #expect(live.stdout == kept.stdout)
  }

  @Test("Lines of results never interrupt a line")
  func resultLines() throws {
    let run = try Opool(
      "map",
      "-q",
      "-j2",
      "--lb",
      "--results",
      "-",
      "printf 'a%s' {}; echo b",
      ":::",
      "1",
      "2"
    ).run()
    let lines = run.stdout.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(Set(lines.filter { !$0.hasPrefix("{") }) == ["a1b", "a2b"])
  }

  @Test("A resumed run prints what was kept and not printed, and nothing that was printed")
  func resumed() throws {
    try Opool.shell(
      """
      opool map -q --lb --journal j 'seq {}' ::: 3 >&-; echo $?
      opool map -q --lb --tag --journal j --resume 'seq {}' ::: 3
      opool map -q --lb --journal j --resume 'seq {}' ::: 3; echo $?
      """
    ).run().expect("5\n3\t1\n3\t2\n3\t3\n0\n")
  }

  /// Its first line was printed, and it is executed again.
  @Test("An operation that was interrupted is executed and printed again")
  func interrupted() throws {
    try piped(
      """
      set -- '[ -e once ] || wait=1; echo {}; [ -z "$wait" ] || cat go' ::: a
      opool map -q --lb --journal j "$@" >out & exec 8<out
      read -r line <&8; echo "$line"; touch once
      kill -TERM $!; cat <&8; wait $!; echo $?
      opool map -q --lb --journal j --resume "$@"
      """
    ).run().expect("a\n143\na\n")
  }

  /// Two commands that would write for ever.
  @Test("A reader that goes ends the run quietly with 141", arguments: ["", "--tag", "-k"])
  func closed(_ option: String) throws {
    try Opool.shell(
      "{ opool map -j2 --lb \(option) 'yes {}' ::: a a; echo $? >code; } | head -n 1 >/dev/null; cat code"
    ).run().expect("141\n", stderr: "")
  }

  /// What the command can write before it waits: pipes, frames and the printer's queue.
  @Test("A slow reader makes the command wait, and no memory is filled")
  func held() throws {
    let run = try Opool.shell(
      """
      mkfifo p; exec 7<>p
      opool map -q --lb 'yes aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa | head -c 1000000000 & echo $! >{}; wait' ::: pid >p & pid=$!
      until [ -s pid ]; do :; done 2>/dev/null
      count=-1; written() { sed -n 's/^wchar: //p' "/proc/$(cat pid)/io"; }
      while [ "$count" != "$(written)" ]; do count=$(written); sleep 0.3; done
      echo $((count < 40000000))
      sed -n 's/^VmHWM:[[:space:]]*\\([0-9]*\\) kB/\\1/p' /proc/$pid/status >memory
      kill -KILL $pid
      """
    ).run()
    run.expect("1\n")
    let memory = try #require(Int(run.folder.text(of: "memory").dropLast()))
    #expect(memory < 150_000, "\(memory) kB")
  }

  @Test("A full standard output is named, with exit code 5")
  func full() throws {
    try Opool("map", "--lb", "echo", ":::", "a").stdout(to: "/dev/full").run()
      .expect(exit: 5).says("opool: standard output: No space left on device\n")
  }

  @Test("The deadline ends a run whose output is not read, while commands write on")
  func deadline() throws {
    let run = try Opool.shell(
      """
      mkfifo p; exec 7<>p
      opool map -j2 --lb --deadline 1 'yes {}' ::: a b >p; echo $?
      """
    ).run()
    run.expect("124\n").says("opool: the deadline has passed\n")
  }

  /// It holds the pipes open.
  ///
  /// Each reads a pipe of its own, so that none opens it too late.
  @Test("A command ends when it has ended, whatever it leaves in the background")
  func background() throws {
    try piped(
      """
      mkfifo go.a go.b
      opool map -q --lb 'cat go.{} & echo {}' ::: a b; echo late >go.a; echo late >go.b
      """
    ).run().expect(nil, stderr: "", exit: 0)
  }
}
