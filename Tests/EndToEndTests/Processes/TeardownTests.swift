import Foundation
import PoolModel
import PoolSystem
import PoolTestSupport
import Testing

/// How operations of a run are made to end, what ends with them, and what is said of it.
@Suite("Teardown sequences")
struct TeardownTests {
  /// The run's own teardown sequence would give it an hour.
  @Test(
    "A line's own teardown sequence is gone through, and the results have its steps and their times"
  )
  func ownTeardown() throws {
    let manifest = """
      {"id": "a", "shell": "trap '' TERM; echo up > up; while :; do sleep 1000; done", \
      "termSeq": "TERM,30,KILL"}
      """
    let opool = try Opool("run", "--term-seq", "TERM,3600000,KILL", "--results", "results")
      .stdin(manifest)
    try RunningOpool.makePipe(opool.folder.path(of: "up"))
    let running = try opool.start()
    #expect(try running.read(pipe: "up") == "up\n")
    running.signal(.interrupt)
    let run = try running.wait().expect("", exit: 130)
    let result = try #require(try run.resultsByID()["a"])
    #expect(result.message == "it was cancelled, and ended on SIGKILL")
    let stepsTaken = try #require(result.stepsTaken)
    try #require(stepsTaken.map(\.step) == ["SIGTERM", "SIGKILL"])
    let (started, finished) = (try #require(result.started), try #require(result.finished))
    #expect(
      started <= stepsTaken[0].at && stepsTaken[0].at + 0.03 <= stepsTaken[1].at
        && stepsTaken[1].at <= finished
    )
  }

  /// The time is over while the command is being started.
  @Test(
    "A teardown sequence that begins with SIGKILL leaves nothing of a command that has just begun"
  )
  func immediate() throws {
    let inputs = (1...100).map { "\($0)" }
    let arguments = ["map", "-q", "-j4", "--timeout", "0.002", "--term-seq", "KILL"]
    let run = try Opool(arguments + ["sleep 1000 & sleep 1000; : {}", ":::"] + inputs).run()
    run.expect("", exit: 1)
  }

  @Test("A line's teardown sequence that is none is an error in its line")
  func wrongTeardown() throws {
    try Opool("run", "-").stdin(#"{"run": ["true"], "termSeq": "TERM,5"}"#).run()
      .expect("", stderr: "-:1: termSeq: its last step must be KILL\n", exit: 3)
  }

  /// One has left the command's group, and one has lost its parent, too.
  private static let escaping =
    "setsid sleep 1000 & (setsid sh -c 'sleep 1000; :' &); echo up > up; wait; : {}"

  private func startEscaping() throws -> RunningOpool {
    let opool = try Opool("map", "-j1", Self.escaping, ":::", "a")
    try RunningOpool.makePipe(opool.folder.path(of: "up"))
    let running = try opool.start()
    #expect(try running.read(pipe: "up") == "up\n")
    return running
  }

  @Test(
    "What has left the group of a cancelled command ends with it",
    .enabled(if: Subreaper() != nil, "needs adopted orphans")
  )
  func escaped() throws {
    let running = try startEscaping()
    running.signal(.interrupt)
    try running.wait().expect("", stderr: "opool: 0 succeeded, 1 cancelled in T\n", exit: 130)
  }

  @Test(
    "It ends, too, when the coordinator is killed",
    .enabled(if: Subreaper() != nil, "needs adopted orphans")
  )
  func coordinatorKilled() throws {
    let running = try startEscaping()
    ProcessSignal.kill.send(toProcess: running.pid)
    let run = try running.wait()
    #expect(run.status == .signaled(9))
    #expect(Leftovers.processes(of: run.marker) == [])
  }

  /// The command ends at once, and no process is left to report it.
  @Test("An operation that is lost to a stopped worker says that it was stopped")
  func stoppedWorker() throws {
    let lost = "worker 1 (pid P) was stopped by a signal, and said nothing for too long"
    try Opool("map", "-j1", "--heartbeat", "0.3", "kill -STOP $PPID; : {}", ":::", "a").run()
      .expect(
        "",
        stderr:
          "opool: 1 (a): lost: \(lost): kill -STOP $PPID; : 'a'\nopool: 0 succeeded, 1 lost in T\n",
        exit: 1
      )
  }

  @Test("An operation that is lost to a silent worker says that it was silent", .needsPython)
  func silentWorker() throws {
    let lost = "worker 1 (pid P) said nothing for too long, and did not answer when it was asked"
    try Opool(
      "run",
      "--heartbeat",
      "0.3",
      "--worker",
      "1:python3 -B \"$REPOSITORY/Scripts/verify/crash/worker.py\" executing hang mark"
    ).stdin(#"{"id": "victim", "kind": "k", "payload": "victim"}"#).run()
      .expect(
        "",
        stderr: "-:1: victim: lost: \(lost)\nopool: 0 succeeded, 1 lost in T\n",
        exit: 1
      )
  }
}
