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
    run.says("opool: 1 (a): failed: its output may be cut short: ").says(Self.advice)
  }

  @Test(
    "makes the command fail of whose output nothing was kept",
    .enabled(if: Namespace.isPermitted)
  )
  func empty() throws {
    let run = try run(
      """
      head -c 100000 /dev/zero >small/other 2>/dev/null
      opool map 'echo lost 2>/dev/null; echo lost >&2; true {}' ::: a && exit 1
      rm small/other
      opool map echo ::: b
      """
    )
    run.expect("b\n").says("1 (a): failed: its output may be cut short: ").says(Self.advice)
  }

  @Test(
    "does not hide how the command itself failed",
    .enabled(if: Namespace.isPermitted)
  )
  func failed() throws {
    let run = try run("opool map 'head -c 1000000 /dev/zero; exit 7 {}' ::: a").expect(exit: 1)
    run.says("1 (a): failed: exit code 7; its output may be cut short: ").says(Self.advice)
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
      let line = "\(prefix) head -c 100000 /dev/zero 2>/dev/null; true {}"
      let script = "ulimit -f 100; exec opool map \"$LINE\" ::: a"
      let run = try Opool.shell(script).environment("LINE", line).run().expect(exit: 1)
      run.says("its size has reached the limit of 51200 bytes, raise it with ulimit -f")
    }
    let nothing = """
      { ulimit -f 0; opool map 'trap "" XFSZ; echo 2>/dev/null; true {}' ::: a; } 2>&1 |
        grep -c 'limit of 0 bytes'
      """
    let lost = try Opool.shell(nothing).run()
    lost.expect("1\n")
    let script = "ulimit -f 100; exec opool map 'head -c 51199 /dev/zero; true {}' ::: a"
    try Opool.shell(script).run().expect(String(repeating: "\0", count: 51_199))
  }

  @Test("Outputs that wait for their turn and meet a limit of file sizes end the run with 5")
  func limitOfStore() throws {
    let script = """
      ulimit -f 100
      exec opool map -k -j2 'test {} != 1 || until test -e done; do sleep 0.01; done
        head -c 9000 /dev/zero; test {} -lt 20 || touch done' ::: $(seq 30)
      """
    try Opool.shell(script).run().expect("", exit: 5).says("temporary file: write in ")
      .says("File too large")
  }
}
