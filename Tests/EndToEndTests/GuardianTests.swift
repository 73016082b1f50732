import Foundation
import PoolModel
import PoolSystem
import PoolTestSupport
import Testing

/// No command lives on, nor what it has started, whichever of the processes of a run die, and in which
/// order.
@Suite("Guardians", .enabled(if: Orphans() != nil, "needs adopted orphans"))
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

  /// In the first of these nothing but the guardians is left to act, and in the last but two all that
  /// `killall -9 opool opool-worker` finds is killed.
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

  /// It can do nothing by itself, and its guardian waits a second for that.
  @Test("A stopped worker does not outlive its coordinator")
  func stopped() throws {
    let running = try start()
    for worker in processes(.worker, of: running) { ProcessSignal.stop.send(toProcess: worker) }
    ProcessSignal.kill.send(toProcess: running.pid)
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

  /// It was left on purpose by a command that succeeded, and outlives the worker, which is killed while
  /// it executes another command.
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
      #expect(Leftovers.processes(of: run.marker).filter { !$0.contains("sleep 1000") } == [])
      Leftovers.kill(run.marker)
    }
  }
}
