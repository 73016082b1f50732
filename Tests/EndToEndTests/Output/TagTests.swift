import PoolTestSupport
import Testing

/// Each line begins with a tag.
@Suite("Tags of outputs")
struct TagTests {
  @Test(
    "The tag is the input, on both streams",
    arguments: ["", "--line-buffer", "--worker 1:opool-worker"]
  )
  func input(_ option: String) throws {
    let line = "'echo o; printf \"p\\nq\"; echo e >&2; :' ::: a 'b c'"
    try Opool.shell("opool map -k -q --tag \(option) \(line)")
      .run().expect("a\to\na\tp\na\tq\nb c\to\nb c\tp\nb c\tq", stderr: "a\te\nb c\te\n")
  }

  @Test(
    "A tag begins each line, also behind an output without a final line feed",
    arguments: ["-j1", "-k", "-j1 --lb", "-k --lb", "-j1 --results -"]
  )
  func openLines(_ options: String) throws {
    let words = "-q \(options) --tag 'printf \"a\nb\"; : {}' ::: x y"
    try Opool.shell("opool map \(words) | grep -v '^{'").run()
      .expect("x\ta\nx\tb\ny\ta\ny\tb\n")
  }

  @Test("A tag begins each line where both streams are one", arguments: ["-j1", "-k", "-j1 --lb"])
  func sharedStream(_ options: String) throws {
    let line = "printf a; sleep 0.05; printf b >&2; : {}"
    try Opool.shell("opool map -q \(options) --tag '\(line)' ::: x y 2>&1")
      .run().expect("x\ta\nx\tb\ny\ta\ny\tb")
  }

  @Test(
    "A tag begins the first line of a second attempt, and of an output that waited for its turn"
  )
  func otherStarts() throws {
    let words = ["map", "-q", "--lb", "--tag", "--retries", "1"]
    try Opool(words + ["printf a; ! :", ":::", "x"]).run().expect("x\ta\nx\ta", exit: 1)
    let line = "test {} = y || until test -e done; do sleep 0.01; done; printf a; touch done"
    try Opool("map", "-q", "-k", "-j2", "--tag", line, ":::", "x", "y").run()
      .expect("x\ta\ny\ta")
  }

  /// As GNU parallel's are.
  @Test("Fields are joined by a blank, and placeholders stand for their parts")
  func fields() throws {
    try Opool("map", "-k", "-q", "--tag", "echo", ":::", "a", "b", ":::", "c").run()
      .expect("a c\ta c\nb c\tb c\n")
    try Opool("map", "-k", "-q", "-n2", "--tag", "echo", ":::", "a", "b", "c").run()
      .expect("a b\ta b\nc\tc\n")
    let words = ["map", "-k", "-q", "--tagstring", "{#}-{2/.}", "echo", ":::", "a", ":::", "d/x.c"]
    try Opool(words).run().expect("1-x\ta d/x.c\n")
  }

  @Test("In a manifest the tag is the id, or a text without placeholders")
  func manifest() throws {
    let lines = """
      {"id": "x", "run": ["echo", "1"]}
      {"run": ["echo", "2"]}
      """
    try Opool("run", "-k", "-q", "--tag").stdin(lines).run().expect("x\t1\n2\t2\n")
    try Opool("run", "-k", "-q", "--tagstring", "{}").stdin(lines).run().expect("{}\t1\n{}\t2\n")
  }

  @Test("A block's tag is its number")
  func blocks() throws {
    try Opool("map", "-k", "-q", "--pipe", "-N2", "--tag", "cat").stdin("a\nb\nc\n").run()
      .expect("1\ta\n1\tb\n2\tc\n")
    try Opool("map", "-k", "-q", "--pipe", "-N2", "--lb", "--tagstring", "b{#}", "cat")
      .stdin("a\nb\nc\n").run().expect("b1\ta\nb1\tb\nb2\tc\n")
  }

  @Test(
    "A large output is tagged as a whole, in order or not",
    arguments: ["", "-k", "--lb", "-k --lb"]
  )
  func large(_ options: String) throws {
    try Opool.shell(
      """
      opool map -q -j2 --tag \(options) 'seq 100000; :' ::: a b >out
      seq 100000 >expected
      for i in a b; do sed -n "s/^$i\t//p" out | cmp - expected && echo same; done; wc -l <out
      """
    ).run().expect("same\nsame\n200000\n", stderr: "")
  }

  @Test("An output without a byte has no line to tag, and bytes of a tag stay as they are")
  func bytes() throws {
    try Opool("map", "-q", "--tag", "true", ":::", "a").run().expect("", stderr: "")
    let run = try Opool(bytes: [
      Array("map".utf8), Array("-q".utf8), Array("--tag".utf8), Array("echo x; true".utf8),
      Array(":::".utf8), [0x1B, 0xFF, 0x0A],
    ]).run()
    #expect(run.stdoutBytes == [0x1B, 0xFF, 0x0A, 0x09] + Array("x\n".utf8))
  }

  @Test("On a terminal a tag cannot move the cursor")
  func terminal() throws {
    let run = try Opool.onTerminal(
      "opool map -q --tag 'echo x; true' ::: \"$(printf 'a\\033[2Jb')\"; echo end"
    )
    _ = try run.wait()
    #expect(run.lines.filter { !$0.isEmpty } == ["a\\x1B[2Jb\tx", "end"])
  }

  @Test("A resumed operation's kept output is tagged, too")
  func resumed() throws {
    try Opool.shell(
      """
      opool map -q --journal j 'echo out; :' ::: a >&-; echo $?
      opool map -q --tag --journal j --resume 'echo out; :' ::: a
      """
    ).run().expect("5\na\tout\n")
  }
}
