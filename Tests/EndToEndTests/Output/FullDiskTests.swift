import Foundation
import PoolTestSupport
import Testing

/// What becomes of outputs that the folder for temporary files has no room for: they are never cut
/// short without a word.
@Suite("A full folder for temporary files", .timeLimit(.minutes(30)))
struct FullDiskTests {
  /// A file system of 64 KiB, in a name space of mounts of its own, is the folder.
  private func run(_ script: String) throws -> OpoolRun {
    let whole = """
      mkdir small && mount -t tmpfs -o size=64k none small || exit 77
      TMPDIR=$PWD/small; export TMPDIR
      \(script)
      """
    return try Opool.shell("exec \(Namespace.enter) sh -c \"$SCRIPT\"")
      .environment("SCRIPT", whole).run()
  }

  private static let advice = "/small is full, make room or set TMPDIR: No space left on device"

  @Test(
    "makes the command fail whose output is cut, whatever it says itself",
    .enabled(if: Namespace.isPermitted)
  )
  func cut() throws {
    let line = "head -c 1000000 /dev/zero 2>/dev/null; true {}"
    let run = try run("opool map '\(line)' ::: a").expect(exit: 1)
    run.says("opool: 1 (a): failed: its output is cut short: ").says(Self.advice)
  }

  @Test(
    "does not matter to outputs of up to 64 KiB, which are in memory",
    .enabled(if: Namespace.isPermitted)
  )
  func small() throws {
    let run = try run(
      """
      head -c 100000 /dev/zero >small/other 2>/dev/null
      opool map 'echo kept; head -c 65000 /dev/zero >&2; true {}' ::: a 2>/dev/null
      opool map 'head -c 65000 /dev/zero; true {}' ::: a | wc -c
      """
    )
    run.expect("kept\n65000\n")
  }

  @Test(
    "ends a command that writes on with SIGPIPE, and its worker lives",
    .enabled(if: Namespace.isPermitted)
  )
  func pipe() throws {
    let run = try run(
      """
      opool map -j1 'if [ {} = 1 ]; then exec yes; fi; echo {} $PPID' ::: 0 1 2 |
        cut -s -d' ' -f2 | uniq -d
      """
    )
    #expect(run.stdout.split(separator: "\n").count == 1)
    run.says("2 (1): failed: signal 13 (SIGPIPE); its output is cut short: ").says(Self.advice)
  }

  @Test(
    "does not hide how the command itself failed",
    .enabled(if: Namespace.isPermitted)
  )
  func failed() throws {
    let run = try run("opool map 'head -c 1000000 /dev/zero; exit 7 {}' ::: a").expect(exit: 1)
    run.says("1 (a): failed: exit code 7; its output is cut short: ").says(Self.advice)
  }

  @Test(
    "makes the operation fail whose standard input cannot be kept",
    .enabled(if: Namespace.isPermitted)
  )
  func input() throws {
    let run = try run(
      """
      text=$(head -c 100000 /dev/zero | tr '\\0' x)
      echo '{"id":"a","run":["cat"],"stdin":"'$text'"}' | opool run -
      """
    )
    run.expect("", exit: 1).says("a: failed: ").says(Self.advice)
  }

  @Test(
    "that is nearly full keeps what it has room for",
    .enabled(if: Namespace.isPermitted)
  )
  func nearlyFull() throws {
    let run = try run("opool map 'head -c 40000 /dev/zero; true {}' ::: a")
    run.expect(String(repeating: "\0", count: 40_000))
  }

  /// A `journalctl -f` would fill it, and fail for it.
  @Test(
    "does not matter to what is printed by line, by whatever worker",
    .enabled(if: Namespace.isPermitted),
    arguments: ["", "-k", "--results r", "--worker 2:opool-worker"]
  )
  func live(_ option: String) throws {
    let run = try run(
      """
      opool map -q --line-buffer \(option) 'yes {} | head -c 3000000; echo end >&2' ::: a | wc -c
      """
    )
    run.expect("3000000\n", stderr: "end\n")
  }

  /// Files with limits have nothing to do with mounts.
  @Test("A limit of file sizes is named, whether its signal kills the command or is ignored")
  func limit() throws {
    for prefix in ["", "trap '' XFSZ;"] {
      let line = "\(prefix) head -c 1000000 /dev/zero 2>/dev/null; true {}"
      let script = "ulimit -f 100; exec opool map \"$LINE\" ::: a"
      let run = try Opool.shell(script).environment("LINE", line).run().expect(exit: 1)
      run.says("the limit on file sizes is reached, raise it with ulimit -f: File too large")
    }
    let script = "ulimit -f 100; opool map 'head -c 60000 /dev/zero; true {}' ::: a | wc -c"
    try Opool.shell(script).run().expect("60000\n")
  }

  @Test("Outputs that wait for their turn and meet a limit of file sizes end the run with 5")
  func limitOfStore() throws {
    let script = """
      ulimit -f 100
      exec opool map -k -j2 'test {} != 1 || until test -e done; do sleep 0.01; done
        head -c 9000 /dev/zero; test {} -lt 20 || touch done' ::: $(seq 30)
      """
    try Opool.shell(script).run().expect("", exit: 5)
      .says("temporary file: the limit on file sizes is reached").says("File too large")
  }
}
