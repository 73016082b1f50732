import Foundation
import PoolTestSupport
import Testing

/// Contract: another process can read what an operation has written, while it executes and
/// afterwards.
@Suite("opool output", .timeLimit(.minutes(5)))
struct OutputCommandTests {
  /// Begins a run, waits until it can be asked and executes a, and asks it.
  private func ask(
    _ manifest: String,
    _ commands: String,
    arguments: String = "-j2"
  ) throws -> OpoolRun {
    let script = """
      export XDG_RUNTIME_DIR=$PWD/r
      opool run -q \(arguments) m > printed 2> errors & run=$!
      until opool explain a 2> /dev/null | grep -q executes; do sleep 0.02; done
      \(commands)
      touch go; wait $run
      """
    let lines = manifest.replacing("W", with: "while [ ! -e go ]; do sleep 0.02; done")
    let opool = try Opool.shell(script).file("m", lines + "\n")
    try FileManager.default.createDirectory(
      atPath: opool.folder.path(of: "r"),
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    return try opool.run()
  }

  private static let isKnown = geteuid() != 65_534

  private static let manifest = """
    {"id":"a","shell":"echo one; echo err >&2; W; echo two; exit 3"}
    {"id":"b","shell":"true","after":["a"]}
    {"id":"c","shell":"echo c"}
    """

  @Test(
    "what executes is asked, and followed to its end; nothing of it is missing or twice",
    .enabled(if: Self.isKnown)
  )
  func executing() throws {
    let commands = """
      until [ "$(opool output a 2> e1)" = one ]; do :; done; cat e1
      opool output -f a > followed 2> e2 & tail=$!
      until grep -q one followed; do sleep 0.02; done
      opool output b; opool output zz; echo $?
      opool output c; echo $?
      touch go; wait $tail; echo "$?"; cat followed e2
      """
    try ask(Self.manifest, commands).expect(
      "err\n2\n2\n0\none\ntwo\nerr\n",
      stderr: """
        opool: b: it has not begun
        opool: no operation is called 'zz'
        opool: c has ended, and the run does not keep outputs; --results DIR/ does

        """,
      exit: 1
    )
  }

  @Test("what has ended is read from the results, also afterwards", .enabled(if: Self.isKnown))
  func ended() throws {
    let commands = """
      until opool explain c | grep -q succeeded; do sleep 0.02; done
      opool output c; touch go; wait $run
      opool output --from k/ a; opool output --from k a --json; opool output --from k b; echo $?
      opool output --from k zz; echo $?
      """
    try ask(Self.manifest, commands, arguments: "-j2 --results k/").expect(
      """
      c
      one
      two
      {"type":"output","id":"a","state":"ended","started":null,"stdout":"one\\ntwo\\n",\
      "stdoutEnd":8,"stderr":"err\\n","stderrEnd":4,"folder":null,"file":null,"reason":null}
      2
      2

      """,
      stderr: """
        err
        opool: k: no output of an operation 'b'
        opool: k: no output of an operation 'zz'

        """,
      exit: 127
    )
  }

  @Test("a file of results has the beginning; other files say what keeps outputs")
  func files() throws {
    let script = """
      opool map -q --results r.jsonl --events e 'printf {}; head -c 70000 /dev/zero >&2' ::: x y \
        > /dev/null 2>&1
      opool output --from r.jsonl 2 2> err; echo; wc -c < err; head -c 76 err
      for file in e none; do opool output --from $file 1; echo $?; done
      opool map -q --results d/ 'echo {}' ::: x y > /dev/null; opool output --from d 2
      """
    try Opool.shell(script).run().expect(
      """
      y
      65612
      opool: 2: 4464 bytes of its output are not there: a file has 64 KiB of each
      2
      5
      y

      """,
      stderr: nil
    ).says("opool: e: no results of an operation '1'; outputs are kept by --results DIR/")
      .says("opool: none: No such file or directory")
  }

  @Test("live outputs that the streams have are counted", .enabled(if: Self.isKnown))
  func live() throws {
    let commands = """
      until grep -q one printed; do sleep 0.02; done
      opool output a; opool output a --json | head -c 0
      """
    try ask(Self.manifest, commands, arguments: "-j2 --line-buffer").expect("", exit: 1)
      .says("opool: a: 8 bytes went to the streams of the run as they came: not here\n")
    try ask(Self.manifest, "opool output a", arguments: "-j2 -u").expect("", exit: 1)
      .says("opool: a: its output goes to the streams of the run by itself (--ungroup)\n")
  }
}
