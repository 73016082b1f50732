import Foundation
import PoolModel
import PoolSystem
import PoolTestSupport
import PoolWire
import Testing

/// Contract: a worker whose requests are not answered ends before its lease does, with all that it
/// executes, even if it or its guardian is stopped.
///
/// Each test waits for seconds, on a thread of its own.
@Suite("Leases of workers", .enabled(if: ProcessLease.isSupported, "needs timers of the kernel"))
struct LeaseTests {
  /// Which process is stopped.
  enum Stopped: String, CaseIterable { case none, worker, guardian, both }

  /// Greets a worker, and gives it a lease of 5 s.
  private func leased() throws -> (WorkerHarness, since: Int64) {
    let worker = try WorkerHarness(greets: false)
    _ = try worker.nextOfAny()
    let since = ProcessLease.clock
    worker.send(.welcome(Welcome(worker: WorkerID(rawValue: 1), lease: 5_000)))
    return (worker, since)
  }

  @Test("without an answer all ends before the lease", arguments: Stopped.allCases)
  func lapse(stopped: Stopped) async throws {
    try await Blocking.run { try lapseHere(stopped) }
  }

  private func lapseHere(_ stopped: Stopped) throws {
    let place = try Rendezvous()
    let (worker, since) = try leased()
    // What it executes, and what has left its group and its session.
    let held = "exec 9>\(place.path); (setsid sleep 1000 &); echo ready >&9; sleep 1000"
    let operation = worker.shell(held)
    worker.send(.execute(operation))
    _ = try worker.group(of: operation)
    let reader = try place.reader()
    #expect(try reader.read(upToCount: 6) == Data("ready\n".utf8))
    switch stopped {
    case .none: break
    case .worker: kill(worker.pid, SIGSTOP)
    case .guardian: kill(worker.process.identifier, SIGSTOP)
    case .both: for process in [worker.pid, worker.process.identifier] { kill(process, SIGSTOP) }
    }
    #expect(try reader.readToEnd() ?? Data() == Data())
    let elapsed = ProcessLease.clock - since
    #expect(elapsed > .seconds(2.5) && elapsed < .seconds(5), "\(elapsed)")
    guard case .signaled = try worker.end() else {
      Issue.record("it has not ended by a signal")
      return
    }
  }

  @Test("a command that is stopped waits longer than its lease and its timeout, and then goes on")
  func stopped() async throws {
    try await Blocking.run { try stoppedHere() }
  }

  private func stoppedHere() throws {
    let place = try Rendezvous()
    let (worker, since) = try leased()
    let loop = "for i in 1 2 3 4 5 6 7 8 9; do sleep 0.1; done"
    let line = "echo begun > \(place.path); \(loop); echo whole"
    let payload = CommandPayload(.shell(Array(line.utf8)))
    let limit = TimeLimit(nanoseconds: .seconds(3), teardown: .immediate)
    let operation = worker.operation(
      "command",
      String(decoding: payload.json, as: UTF8.self),
      with: .of(timeLimit: limit)
    )
    worker.send(.execute(operation))
    _ = try worker.group(of: operation)
    _ = try place.reader().readToEnd()
    worker.send(.stop(lease: 60_000))
    while ProcessLease.clock < since + .seconds(6) {
      guard case .renew = try worker.next() else {
        Issue.record("it has gone on, or ended")
        return
      }
    }
    worker.send(.proceed)
    var answer: Answer?
    while let message = try worker.next() {
      if case .renew(let number) = message { worker.send(.renewed(number)) }
      guard case .finished(operation.reference, let last) = message else { continue }
      answer = last
      break
    }
    #expect(
      answer?.outputText == "whole\n" && answer?.failure == nil,
      "\(String(describing: answer))"
    )
  }

  @Test("once it goes on, it is the usual lease that ends")
  func lapseAfterStop() async throws {
    try await Blocking.run { try lapseAfterStopHere() }
  }

  private func lapseAfterStopHere() throws {
    let place = try Rendezvous()
    let (worker, _) = try leased()
    let operation = worker.shell("exec 9>\(place.path); echo ready >&9; sleep 1000")
    worker.send(.execute(operation))
    _ = try worker.group(of: operation)
    let reader = try place.reader()
    #expect(try reader.read(upToCount: 6) == Data("ready\n".utf8))
    worker.send(.stop(lease: 3_600_000), .proceed)
    let since = ProcessLease.clock
    #expect(try reader.readToEnd() ?? Data() == Data())
    #expect(ProcessLease.clock - since < .seconds(5))
    _ = try worker.end()
  }

  @Test("answers put the end off, and behind the middle of the last lease nothing begins")
  func renewal() async throws {
    try await Blocking.run { try renewalHere() }
  }

  private func renewalHere() throws {
    let place = try Rendezvous()
    let (worker, since) = try leased()
    var answered = since
    // Longer than the first lease.
    while ProcessLease.clock < since + .seconds(5.5) {
      guard case .renew(let number) = try worker.next() else {
        Issue.record("another message came")
        return
      }
      answered = ProcessLease.clock
      worker.send(.renewed(number))
    }
    #expect(try worker.answer(to: worker.shell("echo lives")).outputText == "lives\n")
    // Requests come each tenth of a lease: the fifth of these in the middle of it.
    for _ in 0..<5 {
      guard case .renew = try worker.next() else {
        Issue.record("another message came")
        return
      }
    }
    let began = place.folder.appending(path: "began").path
    let late = worker.shell("echo began > \(began)")
    worker.send(.execute(late))
    _ = try worker.end()
    #expect(ProcessLease.clock < answered + .seconds(5))
    #expect(!FileManager.default.fileExists(atPath: began))
  }
}
