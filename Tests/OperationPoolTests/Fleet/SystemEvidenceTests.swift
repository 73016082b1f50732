import PoolCore
import PoolModel
import PoolSystem
import Testing

@testable import OperationPool

/// Contract: what the system knows of processes is read where it says so, and not guessed.
@Suite("Evidence from the system")
struct SystemEvidenceTests {
  @Test("how many processes were killed for want of memory is read by its name, and no other")
  func memoryEvents() {
    #expect(MemoryEvents.count(in: "low 1\nhigh 2\noom 5\noom_kill 3\noom_group_kill 4\n") == 3)
    #expect(MemoryEvents.count(in: "oom 5\noom_group_kill 4\n") == nil)
    #expect(MemoryEvents.count(in: "") == nil)
    // In version 1.
    let control = "oom_kill_disable 0\nunder_oom 1\noom_kill 2\n"
    #expect(MemoryEvents.count(in: control) == 2)
  }

  @Test("a living process has memory and is not stopped; one that is not there has neither")
  func status() {
    let own = CurrentProcess.identifier
    #expect(!ProcessStatus.isStopped(own))
    #expect(!ProcessStatus.isStopped(-1))
    #expect(ProcessStatus.residentBytes(of: -1) == nil)
    #if os(Linux)
    #expect(ProcessStatus.residentBytes(of: own) ?? 0 > 1 << 20)
    #endif
  }

  @Test("a death by SIGKILL says whose it was, as far as that is known")
  func killed() {
    var death = PoolWorkerDeath(worker: .init(rawValue: 3), pid: 7, status: .signaled(9))
    #expect(death.manner == .signal)
    #expect(death.description == "worker 3 (pid 7) was ended by signal 9, which was not the pool's")
    death.lackedMemory = true
    #expect(death.manner == .outOfMemory)
    #expect(death.description.hasSuffix("the system has killed processes because memory was short"))
    death.reason = .teardown
    #expect(death.manner == .ended)
    death.reason = .silence
    #expect(death.manner == .silence)
    // It was dying already when the pool lost its patience.
    death.status = .signaled(11)
    #expect(death.manner == .signal)
  }
}
