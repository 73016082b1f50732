import Foundation
import OperationPool
import PoolModel
import PoolSystem
import PoolTestSupport
import Testing

/// Contract: whatever an operation does to its process costs that operation at most.
@Suite("Careless and hostile operations", .timeLimit(.minutes(30)))
struct HostileKindTests {
  @Test("printing and reading the standard streams harm no frame")
  func streams() async throws {
    let queue = try Pools.queue()
    let operations = ["print", "readStdin", "print", "noop"].map { operation($0) }
    try queue.addOperations(operations)
    for operation in operations { #expect(try await operation.finished().ending == .succeeded) }
    #expect(operations[1].outcome?.text == "0")
    #expect(Set(operations.map { $0.outcome?.worker }).count == 1)
  }

  @Test("a grandchild that lives on holds up neither the worker nor the news of its end")
  func grandchild() async throws {
    let queue = try Pools.queue()
    let grandchild = operation("grandchild")
    try queue.addOperation(grandchild)
    let pid = try #require(Int32(try await grandchild.finished().text ?? ""))
    #expect(pid > 1)
    defer { ProcessSignal.kill.send(toProcess: pid) }
    let (crash, next) = (operation("crash"), operation("noop"))
    try queue.addOperations([crash, next])
    #expect(try await crash.finished().ending == .lost)
    #expect(try await next.finished().ending == .succeeded)
  }

  @Test("the death of one worker costs the other nothing")
  func neighbours() async throws {
    let queue = try Pools.queue(2)
    let slow = operation("untilCancelled", "{}")
    try queue.addOperation(slow)
    #expect(await slow.reaches(.executing))
    for _ in 0..<3 {
      let crash = operation("crash")
      try queue.addOperation(crash)
      #expect(try await crash.finished().ending == .lost)
    }
    #expect(slow.isExecuting)
    slow.cancel()
    let outcome = try await slow.finished()
    #expect(outcome.ending == .cancelled && outcome.attempts == 1)
  }

  @Test("what a dying worker merely had prefetched comes back at no charge, in its order")
  func prefetched() async throws {
    let queue = try Pools.queue()
    // Many short ones first, so that the pool lets the worker hold some.
    let short = (0..<2_000).map { _ in operation("noop") }
    let exits = (0..<4).map { _ in operation("exit", "7") }
    var batch: [PoolInvocationOperation] = []
    for (index, noop) in short.enumerated() {
      batch.append(noop)
      if index % 500 == 250 { batch.append(exits[index / 500]) }
    }
    try queue.addOperations(batch)
    for noop in short {
      let outcome = try await noop.finished()
      #expect(outcome.ending == .succeeded && outcome.attempts == 1)
    }
    for exit in exits {
      #expect(try await exit.finished().failure?.description.contains("code 7") == true)
    }
  }

  @Test("a worker blocks SIGCHLD alone, and what it starts no signal")
  func mask() async throws {
    let queue = try Pools.commands()
    let command = PoolCommandOperation(shell: "echo $PPID; cat /proc/self/status")
    try queue.addOperation(command)
    let text = String(decoding: try await command.finished().standardOutput, as: UTF8.self)
    let worker = try #require(text.split(separator: "\n").first)
    // Read when it has nothing to do: the system blocks signals while a process is being started.
    let path = "/proc/\(worker)/task/\(worker)/status"
    let status = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.contains("SigBlk:\t0000000000000000"))
    // It hears of the end of its command by a descriptor.
    #expect(status.contains("SigBlk:\t0000000000010000"))
  }

  @Test("a worker that had nothing to do for more than six seconds is still there")
  func idle() async throws {
    let queue = try Pools.queue()
    let (before, after) = (operation("pid"), operation("pid"))
    try queue.addOperation(before)
    let pid = try await before.finished().text
    #expect(pid != nil)
    let thread = try SystemThread.start(name: "waits", mask: .full) {
      // No call ends this wait: the test is that nothing happens.
      let nothing = Monitor(())
      _ = nothing.wait(until: MonotonicClock.now + .seconds(6.5), while: { _ in true })
    }
    try await Blocking.run { thread.join() }
    try queue.addOperation(after)
    #expect(try await after.finished().text == pid)
  }
}
