import Foundation
import PoolTestSupport
import Testing

/// What `opool` does where the system has too little of what it needs: fewer workers, or a sentence
/// and a truthful exit code, always in time, and nothing is left.
@Suite("Shortages", .timeLimit(.minutes(10)))
struct ShortageTests {
  private static let lines = (1...100).map { "\($0)\n" }

  private func sorted(_ output: String) -> [Int] {
    output.split(separator: "\n").compactMap { Int($0) }.sorted()
  }

  @Test("with few descriptors, fewer workers do all of the work", arguments: [32, 40, 64])
  func fewDescriptors(limit: Int) throws {
    let command = "ulimit -n \(limit); exec opool map -j8 echo"
    let run = try Opool.shell(command).stdin(Self.lines.joined()).run()
    #expect(run.status == .exited(0), "\(run.errors)")
    #expect(sorted(run.output) == Array(1...100))
    if limit == 32 { run.says("Too many open files; the other workers go on") }
    run.expectNothingLeft()
  }

  @Test(
    "with too few descriptors for any worker, the run is refused, and says of what is too little"
  )
  func noDescriptors() throws {
    let run = try Opool.shell("ulimit -n 14; exec opool map -j8 touch ::: a b").run()
    run.expect("", exit: 4).says("Too many open files")
    #expect(try !run.folder.names().contains("a"))
    run.expectNothingLeft()
  }

  /// Root has no such limit; and of other users' processes, nobody's are the fewest.
  @Test(
    "with few processes, each operation has its outcome, in time, and shortages are named",
    .enabled(if: geteuid() == 0 && FileManager.default.isExecutableFile(atPath: Self.setpriv)),
    arguments: [4, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 24, 32]
  )
  func fewProcesses(limit: Int) throws {
    // The programs as well are only the test user's to read.
    let script = """
      chmod 755 . && mkdir -m 777 open && cp "$(command -v opool)" "$(command -v opool-worker)" . &&
      cd open && exec \(Self.setpriv) --reuid=nobody --regid=nogroup --clear-groups \
      sh -c 'ulimit -u \(limit); TMPDIR=. exec ../opool map -j4 --results results echo'
      """
    let run = try Opool.shell(script).stdin(Self.lines.joined()).run()
    guard case .exited(let code) = run.status, [0, 1, 4].contains(code) else {
      return #expect(Bool(false), "\(run.status): \(run.errors)")
    }
    let done = sorted(run.output)
    if code == 0 { #expect(done == Array(1...100)) } else { #expect(isNamed(in: run.errors)) }
    #expect(Set(done).count == done.count, "nothing is done twice")
    let results = try? String(contentsOfFile: run.folder.path(of: "open/results"), encoding: .utf8)
    let outcomes = (results ?? "").split(separator: "\n")
    #expect(outcomes.count == 100 || (code == 4 && done.isEmpty), "\(outcomes.count)")
    #expect(outcomes.filter { $0.contains("\"succeeded\"") }.count == done.count)
    run.expectNothingLeft()
  }

  /// Foundation waits for ever for a thread of its own that cannot be made.
  private func isNamed(in errors: String) -> Bool {
    errors.contains("temporarily unavailable") || errors.contains("did not come to life in time")
  }

  private static let setpriv = "/usr/bin/setpriv"
}
