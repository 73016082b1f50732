import PoolModel
import PoolSystem
import PoolTestSupport
import Testing

/// A run that is made to end loses no operation, and leaves nothing behind.
@Suite("Interruption")
struct InterruptionTests {
  /// Starts a run of three operations, of which the first, given here, writes to the pipe `up`
  /// when it executes.
  private func start(_ shell: String, _ options: String...) throws -> RunningOpool {
    try start(shell, options)
  }

  private func start(_ shell: String, _ options: [String]) throws -> RunningOpool {
    let manifest = """
      {"id": "a", "shell": "\(shell)"}
      {"id": "b", "run": ["touch", "ran"], "after": ["a"]}
      {"id": "c", "run": ["touch", "ran"]}
      """
    let command = try Opool(["run", "-j1", "--results", "results"] + options).stdin(manifest)
    for pipe in ["up", "told"] { try RunningOpool.makePipe(command.folder.path(of: pipe)) }
    let running = try command.start()
    #expect(try running.read(pipe: "up") == "up\n")
    return running
  }

  /// Every operation has its line, and those that never executed never did; the one that did has
  /// an exit code or a signal, if known.
  private func expectAllCancelled(_ run: OpoolRun, by number: Int? = nil) throws {
    let code = number.map { " \($0)" } ?? ""
    #expect(
      try run.resultsByID().mapValues(\.ending) == [
        "a": "cancelled cancelled\(code)", "b": "cancelled cancelled", "c": "cancelled cancelled",
      ]
    )
    #expect(try run.folder.names().contains("ran") == false)
  }

  /// The command has a chance to tidy up, and what it writes then is printed.
  @Test(
    "The first signal asks commands to end",
    arguments: [(ProcessSignal.interrupt, Int32(130)), (.terminate, 143)]
  )
  func once(_ signal: ProcessSignal, _ code: Int32) throws {
    let running = try start("trap 'echo tidy; exit 0' TERM; echo up > up; sleep 1000 & wait")
    signal.send(toProcess: running.pid)
    let run = try running.wait()
    run.expect("tidy\n", stderr: "opool: 0 succeeded, 3 cancelled in T\n", exit: code)
    try expectAllCancelled(run, by: 0)
  }

  @Test(
    "With a journal, the last line says how to continue, except with -q",
    arguments: [false, true]
  )
  func continuation(isQuiet: Bool) throws {
    let options = ["--journal", "j"] + (isQuiet ? ["-q"] : [])
    let running = try start("echo up > up; exec sleep 1000", options)
    running.signal(.interrupt)
    let advice = "opool: j keeps what has ended: the same command with --resume executes the rest\n"
    let summary = "opool: 0 succeeded, 3 cancelled in T\n"
    try running.wait().expect("", stderr: isQuiet ? "" : summary + advice, exit: 130)
  }

  /// It does not listen, but it ends.
  @Test("A command that ignores SIGTERM is killed after its grace")
  func teardown() throws {
    let running = try start("trap '' TERM; echo up > up; while :; do sleep 1000; done")
    running.signal(.interrupt)
    let run = try running.wait().expect("", exit: 130)
    try expectAllCancelled(run, by: 9)
    let message = try run.resultsByID()["a"]?.message
    #expect(message == "it was cancelled, and ended on SIGKILL")
  }

  /// The command has been asked, and the user does not want to wait for its grace.
  ///
  /// What it had written by then is printed.
  /// The grace of a day would not end before the watchdog does.
  @Test(
    "The second signal kills at once",
    arguments: [(ProcessSignal.interrupt, Int32(130)), (.terminate, 143)]
  )
  func twice(_ signal: ProcessSignal, _ code: Int32) throws {
    let running = try start(
      "trap 'echo asked; echo told > told' TERM; echo up > up; while :; do sleep 1000 & wait; done",
      "--term-seq",
      "TERM,86400000,KILL"
    )
    running.signal(signal)
    #expect(try running.read(pipe: "told") == "told\n")
    running.signal(signal)
    let run = try running.wait().expect("asked\n", exit: code)
    try expectAllCancelled(run, by: 9)
    #expect(try run.resultsByID()["a"]?.message == "it was cancelled, and ended on SIGKILL")
  }

  /// A worker that is stopped cannot kill its command, and is killed instead.
  ///
  /// Two signals of a sort may be heard as one. The grace of a day would not end before the
  /// watchdog does.
  @Test("The second signal ends what a stopped worker executes")
  func stuck() throws {
    let running = try start(
      "trap '' TERM; kill -STOP $PPID; echo up > up; while :; do sleep 1000; done",
      "--term-seq",
      "TERM,86400000,KILL"
    )
    running.signal(.interrupt)
    running.signal(.terminate)
    let run = try running.wait()
    #expect([.signaled(2), .exited(143)].contains(run.status))
    try expectAllCancelled(run)
  }

  /// The command would be asked by no step of the teardown sequence before the watchdog ends the
  /// test.
  @Test("SIGQUIT ends a run at once, and leaves nothing")
  func quit() throws {
    let running = try start(
      "trap '' TERM QUIT; echo up > up; while :; do sleep 1000 & wait; done",
      "--term-seq",
      "TERM,86400000,KILL"
    )
    running.signal(.quit)
    let run = try running.wait()
    run.expect("", stderr: "opool: 0 succeeded, 3 cancelled in T\n", exit: 131)
    try expectAllCancelled(run, by: 9)
  }

  /// No process is left to tell them, so workers notice, and end their commands.
  @Test("When opool itself is killed, no worker and no command lives on")
  func killed() throws {
    let running = try start(
      "trap '' TERM HUP; echo up > up; sh -c 'sleep 1000' & while :; do sleep 1000; done"
    )
    ProcessSignal.kill.send(toProcess: running.pid)
    let run = try running.wait()
    #expect(run.status == .signaled(9))
    run.expectNothingLeft()
  }

  /// Operations of a worker of the user's own are cancelled by its protocol or by signals.
  @Test(
    "Operations of other workers are interrupted as well",
    arguments: ["untilCancelled", "sleepUntilCancelled", "stubborn"]
  )
  func kinds(_ kind: String) throws {
    let manifest = """
      {"id": "a", "kind": "\(kind)"}
      {"id": "b", "shell": "echo up > up; sleep 1000"}
      """
    let worker = "1:env OPOOL_WORKER=1 test-worker"
    let command = try Opool("run", "--worker", worker, "--results", "results").stdin(manifest)
    try RunningOpool.makePipe(command.folder.path(of: "up"))
    let running = try command.start()
    #expect(try running.read(pipe: "up") == "up\n")
    running.signal(.interrupt)
    let run = try running.wait().expect("", exit: 130)
    let outcomes = try run.resultsByID().mapValues(\.outcome)
    #expect(outcomes == ["a": "cancelled", "b": "cancelled"])
  }
}
