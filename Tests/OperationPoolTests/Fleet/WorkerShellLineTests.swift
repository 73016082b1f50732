import PoolCore
import PoolModel
import Testing

@testable import OperationPool

/// Contract: the process that a shell command becomes is the worker.
@Suite("Shell lines of workers")
struct WorkerShellLineTests {
  @Test(
    "a single command replaces its shell, and of several the user says which one does",
    arguments: [
      ("worker -x", true), ("worker 'a;b' \"c|d\" e\\;f 2>&1", true), ("w '\\' x", true),
      ("sleep 1; exec worker", false), ("a && exec b", false), ("a\nb", false), ("a | b", false),
      ("w '\\'; x", false),
    ]
  )
  func shellLines(_ command: String, isSingle: Bool) {
    #expect(ForeignCommandLauncher.shellLine(command) == (isSingle ? "exec \(command)" : command))
  }

  @Test("a failure because of a worker that did not greet says what gives it longer")
  func advice() {
    var death = PoolWorkerDeath(worker: WorkerID(rawValue: 1))
    death.reason = .greeting
    let workers = WorkerAbsence.Workers(death: death, greetingAdvice: "do this")
    #expect(WorkerAbsence(kind: "k", workers: [workers]).ofBrokenWorkers.hasSuffix("; do this"))
  }
}
