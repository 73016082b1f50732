import Foundation
import PoolModel
import PoolSystem
import PoolTestSupport
import Testing

/// No command lives on, nor what it has started, whichever of the processes of a run die, and in
/// which order.
@Suite("Guardians", .enabled(if: Subreaper() != nil, "needs adopted orphans"))
struct GuardianTests {
  /// One of the processes of a run.
  enum Part: String, CaseIterable {
    case coordinator = "opool"
    case worker = "opool-worker"
    case guardian = "pool-guardian"
  }

  /// Nothing of it heeds a signal; one has left its group, and one its parent, too.
  private static let stubborn = """
    trap '' TERM HUP; setsid sleep 1000 & (setsid sh -c 'sleep 1000; :' &); (sleep 1000 &); \
    echo up > {}; while :; do sleep 1000; done
    """

  /// Starts a run of two commands, and returns when both execute.
  private func start() throws -> RunningOpool {
    let opool = try Opool("map", "-q", "-j2", Self.stubborn, ":::", "up1", "up2")
    for pipe in ["up1", "up2"] { try RunningOpool.makePipe(opool.folder.path(of: pipe)) }
    let running = try opool.start()
    for pipe in ["up1", "up2"] { #expect(try running.read(pipe: pipe) == "up\n") }
    return running
  }

  /// By name, as `killall` finds them.
  private func processes(_ part: Part, of running: RunningOpool) -> [Int32] {
    Leftovers.identifiers(of: running.marker, named: part.rawValue)
  }

  #if canImport(Glibc)
  /// What has initialised them would take a page fault for each page that they touched once more.
  @Test(
    "A worker is forked from its guardian before its libraries are initialised",
    .disabled(if: Sanitizer.isThere, "a sanitizer must be initialised before a fork")
  )
  func early() throws {
    let run = try Opool.shell(
      """
      LD_DEBUG=files opool-worker < /dev/null 2>&1 > /dev/null |
        sed -n 's/^ *\\([0-9]*\\):.*calling \\(preinit\\|init\\): .*/\\2 \\1/p' | sort -u
      """
    ).run()
    let callers = run.stdout.split { $0 == "\n" || $0 == " " }
    try #require(callers.count == 4 && callers[0] == "init" && callers[2] == "preinit")
    #expect(callers[1] != callers[3])
  }
  #endif

  /// In the first of these nothing but the guardians is left to act, and in the last but two all
  /// that `killall -9 opool opool-worker` finds is killed.
  @Test(
    "Nothing lives on where the coordinator is killed, with others or alone",
    arguments: [
      [Part.worker, .coordinator], [.coordinator], [.coordinator, .worker],
      [.coordinator, .guardian], [.guardian, .coordinator],
    ]
  )
  func killed(order: [Part]) throws {
    let running = try start()
    let victims = order.map { processes($0, of: running) }
    #expect(victims.allSatisfy { !$0.isEmpty })
    for victim in victims.joined() { ProcessSignal.kill.send(toProcess: victim) }
    let run = try running.wait()
    #expect(run.status == .signaled(9))
    #expect(Leftovers.processes(of: run.marker) == [])
  }

  /// The coordinator goes on: it has heard of the death only when nothing was left.
  @Test(
    "A worker or guardian that is killed takes everything along before that is told",
    arguments: [Part.worker, .guardian]
  )
  func toldLast(part: Part) throws {
    let opool = try Opool(
      "map",
      "-j1",
      "--results",
      "results",
      Self.stubborn,
      ":::",
      "up"
    )
    try RunningOpool.makePipe(opool.folder.path(of: "up"))
    let running = try opool.start()
    #expect(try running.read(pipe: "up") == "up\n")
    for victim in processes(part, of: running) { ProcessSignal.kill.send(toProcess: victim) }
    let run = try running.wait().expect("", exit: 1)
    #expect(try run.resultsByID()["1"]?.outcome == "lost")
  }

  /// What is stopped takes no signal but the one that says of its parent's end, and goes on by
  /// that.
  @Test(
    "Nothing lives on where some of them are stopped and others killed",
    arguments: [
      ([Part.worker], [Part.coordinator]), ([.worker], [.guardian, .coordinator]),
      ([.worker], [.guardian]), ([.worker], [.guardian, .worker]), ([.guardian], [.worker]),
      ([.guardian], [.worker, .coordinator]), ([.worker, .guardian], [.coordinator]),
      ([.worker, .guardian], [.guardian]), ([.worker, .guardian], [.worker]),
    ]
  )
  func stopped(stopped: [Part], killed: [Part]) throws {
    let running = try start()
    for victim in stopped.flatMap({ processes($0, of: running) }) {
      ProcessSignal.stop.send(toProcess: victim)
    }
    for victim in killed.flatMap({ processes($0, of: running) }) {
      ProcessSignal.kill.send(toProcess: victim)
    }
    let run = try running.wait()
    #expect(run.status == (killed.contains(.coordinator) ? .signaled(9) : .exited(1)))
    #expect(Leftovers.processes(of: run.marker) == [])
  }

  /// It is woken by the end of the worker's output; else the coordinator would kill it after 2 s,
  /// and say so.
  @Test("A guardian that is stopped is not waited for")
  func wakened() throws {
    let opool = try Opool("map", "-j1", "--results", "results", Self.stubborn, ":::", "up")
    try RunningOpool.makePipe(opool.folder.path(of: "up"))
    let running = try opool.start()
    #expect(try running.read(pipe: "up") == "up\n")
    for guardian in processes(.guardian, of: running) {
      ProcessSignal.stop.send(toProcess: guardian)
    }
    for worker in processes(.worker, of: running) { ProcessSignal.kill.send(toProcess: worker) }
    let run = try running.wait().expect("", exit: 1)
    let message = try run.resultsByID()["1"]?.message ?? ""
    #expect(message.contains("was ended by signal 9, which was not the pool's"))
  }

  /// Only the coordinator can tell then what they have left.
  ///
  /// A daemon of the command before it is spared.
  @Test(
    "What a worker and its guardian leave that are killed at once is ended before the next attempt",
    arguments: ["kill -9 $PPID $2", "kill -9 $2 $PPID", "kill -STOP $PPID; kill -9 $2 $PPID"]
  )
  func orphanedTwice(kill: String) throws {
    let opool = try Opool("map", "-q", "-k", "-j1", Self.killing(kill), ":::", "1", "2", "3")
    try opool.run().expect("gone gone alive\n", exit: 1)
  }

  /// One leaves a daemon, one kills its worker and guardian, and one looks what of that lives, and
  /// ends it.
  private static func killing(_ kill: String) -> String {
    """
    case {} in 1) setsid sleep 1000 >&- 2>&- & echo $! > daemon;; 2) setsid sleep 1000 & echo $! > one; \
    sleep 1000 & echo $! > two; read -r s < /proc/$PPID/stat; set -- ${s##*) }; \(kill); \
    while :; do sleep 1000; done;; 3) for f in one two daemon; do \
    if kill -9 $(cat $f); then echo alive; else echo gone; fi 2>/dev/null; done | xargs;; esac
    """
  }

  /// There, every orphan is the coordinator's, and a parent of number 1 is alive.
  @Test(
    "A coordinator that is process 1 is left nothing either",
    .enabled(if: WorkerTests.canBeFirst)
  )
  func first() throws {
    let line = "exec unshare -rpf --mount-proc --kill-child opool map -q -k -j1"
    let opool = try Opool.shell(#"\#(line) "$COMMAND" ::: 1 2 3"#)
      .environment("COMMAND", Self.killing("kill -9 $2 $PPID"))
    try opool.run().expect("gone gone alive\n", exit: 1)
  }

  /// A command that changes its user loses its death signal.
  @Test(
    "A set-id command does not outlive its worker and guardian",
    .enabled(if: geteuid() == 0, "needs root"),
    arguments: [[Part.worker, .guardian], [.worker, .coordinator], [.guardian, .coordinator]]
  )
  func setID(killed: [Part]) throws {
    let line = "echo up > up; exec ./sleeper {}"
    let script = "chown 65534 sleeper; chmod 4755 sleeper; exec opool map -q '\(line)' ::: 1000"
    let opool = try Opool.shell("cp \"$(command -v sleep)\" sleeper; \(script)")
    try RunningOpool.makePipe(opool.folder.path(of: "up"))
    let running = try opool.start()
    #expect(try running.read(pipe: "up") == "up\n")
    while Leftovers.identifiers(of: running.marker, named: "sleeper").isEmpty { sched_yield() }
    for victim in killed.flatMap({ processes($0, of: running) }) {
      ProcessSignal.kill.send(toProcess: victim)
    }
    let run = try running.wait()
    #expect(Leftovers.processes(of: run.marker) == [])
  }

  @Test("A guardian is found by no name of the programs")
  func name() throws {
    let running = try start()
    let guardians = processes(.guardian, of: running)
    #expect(guardians.count == 2)
    for guardian in guardians {
      let words = FileManager.default.contents(atPath: "/proc/\(guardian)/cmdline") ?? Data()
      #expect(!String(decoding: words, as: UTF8.self).contains("opool"))
    }
    ProcessSignal.kill.send(toProcess: running.pid)
    _ = try running.wait()
  }

  /// It was left on purpose by a command that succeeded, and outlives the worker, which is killed
  /// while it executes another command.
  @Test("A daemon outlives the worker that is killed after its command")
  func daemon() throws {
    let daemon = "setsid sh -c 'read line < go; echo alive > told' & : {}"
    let opool = try Opool.shell(
      """
      opool run -q -j1 --results results - <<'END'
      {"id": "daemon", "shell": "\(daemon)"}
      {"id": "killer", "shell": "setsid sleep 1000 & kill -9 $PPID; sleep 1000", "after": ["daemon"]}
      END
      echo $?; echo > go; cat told
      """
    )
    for pipe in ["go", "told"] { try RunningOpool.makePipe(opool.folder.path(of: pipe)) }
    try opool.run().expect("1\nalive\n")
  }

  /// Its guardian, which is stopped once it has noticed its coordinator's end, is woken by the
  /// later run.
  @Test("A run is not resumed while anything of it lives")
  func resumed() throws {
    let command = "trap '' TERM HUP; echo up > {}; while :; do sleep 1000; done"
    let opool = try Opool("map", "-q", "--journal", "J", "-j1", command, ":::", "up")
    try RunningOpool.makePipe(opool.folder.path(of: "up"))
    let running = try opool.start()
    #expect(try running.read(pipe: "up") == "up\n")
    let (guardians, workers) = (processes(.guardian, of: running), processes(.worker, of: running))
    for process in workers { ProcessSignal.stop.send(toProcess: process) }
    ProcessSignal.kill.send(toProcess: running.pid)
    for process in guardians { ProcessSignal.stop.send(toProcess: process) }
    _ = try running.wait()
    let later = opool.again("map", "-q", "--journal", "J", "--resume", "echo resumed", ":::", "up")
    let run = try later.run().expect("resumed up\n")
    #expect(Leftovers.processes(of: running.marker) == [])
    #expect(run.status == .exited(0))
  }

  /// Many at once, which are being started all the time.
  @Test("Commands that are just being started do not live on either")
  func starting() throws {
    for _ in 0..<10 {
      let opool = try Opool.shell(
        "seq 100000 | opool map -q -j4 'echo >> ran; (setsid sleep 1000 &); sleep 0.00{}'"
      )
      let running = try opool.start()
      while opool.folder.bytes(of: "ran").count < 8 { sched_yield() }
      for part in [Part.worker, .coordinator] {
        for victim in processes(part, of: running) { ProcessSignal.kill.send(toProcess: victim) }
      }
      let run = try running.wait()
      #expect(Leftovers.processes(of: run.marker) { $0.contains("sleep 1000") } == [])
      Leftovers.kill(run.marker)
    }
  }
}
