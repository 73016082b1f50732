import Foundation
import PoolModel
import PoolSystem
import PoolTestSupport
import Testing

/// What `opool` does where the system has too little of what it needs: fewer workers, or a sentence
/// and a truthful exit code, always in time, and nothing is left.
@Suite("Shortages", .timeLimit(.minutes(30)))
struct ShortageTests {
  private static let setpriv = "/usr/bin/setpriv"
  private static let lines = (1...100).map { "\($0)\n" }.joined()

  private func sorted(_ output: String) -> [Int] {
    output.split(separator: "\n").compactMap { Int($0) }.sorted()
  }

  /// A test process has an unknown number already: so there are several limits, and at one of
  /// them there is room for some workers and not for all.
  @Test("with few descriptors, fewer workers do all of the work, and that is said")
  func fewDescriptors() throws {
    var saidSo = 0
    for limit in [24, 25, 28, 34, 40, 46, 52, 64] {
      let command = "ulimit -n \(limit); exec opool map -j8 echo"
      let run = try Opool.shell(command).stdin(Self.lines).run()
      let isDone = run.status == .exited(0)
      run.expect(exit: isDone ? 0 : 4)
      #expect(sorted(run.stdout) == (isDone ? Array(1...100) : []))
      if !isDone {
        run.says("Too many open files")
        let promises = run.stderr.contains("it is tried again")
        #expect(!promises, "\(run.stderr)")
        #expect(run.stderr.split(separator: "\n").count <= 4, "\(run.stderr)")
      }
      if isDone, run.stderr.contains("Too many open files; fewer operations execute at once") {
        saidSo += 1
      }
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

  @Test("with too little address space, one sentence names the limit, and nothing is executed")
  func littleMemory() throws {
    let run = try Opool.shell("ulimit -v 110000; exec opool map -j2 touch ::: a b").run()
    let limit = "and the limit on it leaves less; raise it (ulimit -v)"
    run.expect("", stderr: "opool: a run needs 56 MiB of address space, \(limit)\n", exit: 4)
    #expect(try !run.folder.names().contains("a"))
  }

  /// Root has no such limit; and of other users' processes, those of a made-up number are the
  /// fewest.
  ///
  /// The coordinator has seven threads, a worker two and its guardian, and a command is one.
  @Test(
    "with few processes, all is executed, by fewer at once, and shortages are named",
    .enabled(if: canBeAnother, "needs root, setpriv and prlimit"),
    arguments: [14, 18, 24, 32]
  )
  func fewProcesses(limit: Int) throws {
    let script = "exec prlimit --nproc=\(limit) ../opool map -j12 --results results echo"
    let run = try asAnother(script).run().expect(exit: 0)
    #expect(sorted(run.stdout) == Array(1...100), "all is done, and nothing twice")
    #expect(run.stderr.contains("temporarily unavailable"), "\(run.stderr)")
    let outcomes = run.folder.text(of: "open/results").split(separator: "\n")
    #expect(outcomes.count == 100)
    #expect(outcomes.allSatisfy { $0.contains("\"succeeded\"") && $0.contains("\"attempt\":1") })
    run.expectNothingLeft()
  }

  @Test(
    "where the coordinator itself has no room for its threads, the run ends with a reason",
    .enabled(if: canBeAnother, "needs root, setpriv and prlimit")
  )
  func tooFewProcesses() throws {
    let run = try asAnother("exec prlimit --nproc=4 ../opool map -j4 echo").run()
    run.expect("", exit: 4).says("temporarily unavailable")
  }

  @Test(
    "a shortage that goes away is no outcome, and no attempt",
    .enabled(if: canBeAnother, "needs root, setpriv and prlimit")
  )
  func passingShortage() throws {
    // The others end when the run has said that it waits.
    let script = """
      mkfifo -m 666 go; for i in 1 2 3 4 5 6 7 8 9 10; do cat go >go.$i 2>&1 & done
      prlimit --nproc=20 ../opool map -j4 --timeout 5 --results results echo; exit $?
      """
    let opool = try asAnother(script)
    try RunningOpool.makePipe(opool.folder.path(of: "errors"))
    let running = try opool.start()
    let errors = try Descriptors.openFile(path: Array(opool.folder.path(of: "errors").utf8))
    defer { Descriptors.close(errors) }
    let start = try read(
      errors,
      until: "fewer operations execute at once, and opool will try again"
    )
    #expect(start.contains("fewer operations execute at once"), "\(start)")
    let go = opool.folder.path(of: "open/go")
    try #require(FileHandle(forWritingAtPath: go)).write(contentsOf: Data("go\n".utf8))
    _ = try read(errors, until: nil)
    let run = try running.wait().expect(exit: 0)
    #expect(sorted(run.stdout) == Array(1...100))
    let outcomes = run.folder.text(of: "open/results").split(separator: "\n")
    #expect(outcomes.allSatisfy { $0.contains("\"attempt\":1") })
  }

  @Test(
    "whatever number of threads there is room for, no start of a worker hangs",
    .enabled(if: canBeAnother, "needs root, setpriv and prlimit")
  )
  func fewThreads() throws {
    let script = """
      for n in 4 5 6 7 8 9 10; do
        prlimit --nproc=$n ../opool map -j4 --worker-start 1 --deadline 4 echo 2>errors.$n; cat errors.$n >&2
      done; exit 0
      """
    for _ in 0..<3 {
      let run = try asAnother(script).run()
      #expect(!run.stderr.contains("did not greet"), "\(run.stderr)")
    }
  }

  @Test(
    "a run that waits for processes is ended by a signal as any other, and resumed",
    .enabled(if: canBeAnother, "needs root, setpriv and prlimit")
  )
  func interruption() throws {
    // Room for the coordinator, and none for a worker with a command.
    let opool = try asAnother("exec prlimit --nproc=8 ../opool map -j4 --journal journal echo")
    try RunningOpool.makePipe(opool.folder.path(of: "errors"))
    let running = try opool.start()
    let errors = try Descriptors.openFile(path: Array(opool.folder.path(of: "errors").utf8))
    defer { Descriptors.close(errors) }
    let start = try read(
      errors,
      until: "fewer operations execute at once, and opool will try again"
    )
    #expect(start.contains("fewer operations execute at once"), "\(start)")
    running.signal(.interrupt)
    _ = try read(errors, until: nil)
    try running.wait().expect("", exit: 130)
  }

  /// Reads until a text has come, or the end.
  private func read(_ descriptor: Int32, until text: String?) throws -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while text.map({ !String(decoding: bytes, as: UTF8.self).contains($0) }) ?? true {
      let transfer = try buffer.withUnsafeMutableBytes { buffer throws(SystemFailure) in
        try SystemIO.read(descriptor, into: buffer)
      }
      guard case .bytes(let count) = transfer else { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let canBeAnother =
    geteuid() == 0
    && [setpriv, "/usr/bin/prlimit"].allSatisfy(FileManager.default.isExecutableFile(atPath:))

  /// A script that is executed as a user who has no other process; what it says as an error goes to
  /// the file `errors` where there is one.
  private func asAnother(_ script: String) throws -> Opool {
    // The programs, too, must be where that user may read them.
    let user = Int.random(in: 1_000_000..<2_000_000)
    let command = """
      test ! -p errors || exec 2>errors
      chmod 755 . && mkdir -m 777 open && cp "$(command -v opool)" "$(command -v opool-worker)" . &&
      cd open && export TMPDIR=. && exec \(Self.setpriv) --reuid=\(user) --regid=65534 \
      --clear-groups sh ../script
      """
    return try Opool.shell(command).stdin(Self.lines).file("script", script + "\n")
  }
}
