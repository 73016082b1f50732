import Foundation
import PoolModel
import PoolTestSupport
import Testing

/// What `opool` does where the system has too little of what it needs: fewer workers, or a sentence
/// and a truthful exit code, always in time, and nothing is left.
@Suite("Shortages", .timeLimit(.minutes(10)))
struct ShortageTests {
  private static let setpriv = "/usr/bin/setpriv"
  private static let lines = (1...100).map { "\($0)\n" }.joined()

  private func sorted(_ output: String) -> [Int] {
    output.split(separator: "\n").compactMap { Int($0) }.sorted()
  }

  /// How many a test process has already, nobody knows: so there are several limits, and at one of
  /// them there is room for some workers and not for all.
  @Test("with few descriptors, fewer workers do all of the work, and that is said")
  func fewDescriptors() throws {
    var saidSo = 0
    for limit in [28, 34, 40, 46, 52, 64] {
      let command = "ulimit -n \(limit); exec opool map -j8 echo"
      let run = try Opool.shell(command).stdin(Self.lines).run()
      let isDone = run.status == .exited(0)
      run.expect(exit: isDone ? 0 : 4)
      #expect(sorted(run.stdout) == (isDone ? Array(1...100) : []))
      if !isDone { run.says("Too many open files") }
      if isDone, run.stderr.contains("Too many open files; the other workers go on") { saidSo += 1 }
      #expect(isDone || limit < 64)
    }
    #expect(saidSo > 0)
  }

  /// Each could stay open where its command wrote it.
  @Test("with few descriptors, large outputs that wait for their turn are all written")
  func fewDescriptorsForOutputs() throws {
    let line = """
      while test {} = 1 && ! test -e done; do sleep 0.01; done
      head -c 20000 /dev/zero; test {} -lt 80 || touch done
      """
    let script = "ulimit -n 64; opool map -q -k -j2 '\(line)' ::: $(seq 80) | wc -c"
    let run = try Opool.shell(script).run().expect(stderr: "")
    #expect(sorted(run.stdout) == [80 * 20_000])
  }

  @Test(
    "with too few descriptors for any worker, the run is refused by name"
  )
  func noDescriptors() throws {
    let run = try Opool.shell("ulimit -n 14; exec opool map -j8 touch ::: a b").run()
    run.expect("", exit: 4).says("Too many open files")
    #expect(try !run.folder.names().contains("a"))
  }

  /// Root has no such limit; and of other users' processes, nobody's are the fewest.
  @Test(
    "with few processes, each operation has its outcome, in time, and shortages are named",
    .enabled(if: geteuid() == 0 && FileManager.default.isExecutableFile(atPath: Self.setpriv)),
    arguments: [4, 8, 9, 10, 12, 14, 18, 24, 32]
  )
  func fewProcesses(limit: Int) throws {
    // The programs, too, must be where that user may read them.
    let script = """
      chmod 755 . && mkdir -m 777 open && cp "$(command -v opool)" "$(command -v opool-worker)" . &&
      cd open && exec \(Self.setpriv) --reuid=65534 --regid=65534 --clear-groups \
      sh -c 'ulimit -u \(limit); TMPDIR=. exec ../opool map -j4 --results results echo'
      """
    let run = try Opool.shell(script).stdin(Self.lines).run()
    let done = sorted(run.stdout)
    let codes: [Int32] = done.count == 100 ? [0] : done.isEmpty ? [1, 4] : [1]
    #expect(
      codes.contains { run.status == .exited($0) },
      "\(run.status) \(done.count) \(run.stderr)"
    )
    if done.count < 100 { #expect(isNamed(in: run.stderr), "\(run.stderr)") }
    #expect(Set(done).count == done.count, "nothing is done twice")
    let outcomes = run.folder.text(of: "open/results").split(separator: "\n")
    #expect(outcomes.count == 100 || done.isEmpty, "\(outcomes.count)")
    #expect(outcomes.filter { $0.contains("\"succeeded\"") }.count == done.count)
    run.expectNothingLeft()
  }

  /// Foundation waits for ever for a thread of its own that cannot be made.
  private func isNamed(in errors: String) -> Bool {
    errors.contains("temporarily unavailable") || errors.contains("did not greet in time")
  }
}
