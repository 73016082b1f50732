import Foundation
import PoolModel
import PoolSystem
import PoolTestSupport
import PoolWire
import Testing

/// Contract: a worker whose requests are not answered ends before its lease does, with all that it
/// executes, even if it or its guardian is stopped.
@Suite("Leases of workers", .enabled(if: ProcessLease.isSupported, "needs timers of the kernel"))
struct LeaseTests {
  /// Which process is stopped.
  enum Stopped: String, CaseIterable { case none, worker, guardian }

  /// Greets a worker, and gives it a lease of 5 s.
  private func leased() throws -> (WorkerHarness, since: Int64) {
    let worker = try WorkerHarness(greets: false)
    _ = try worker.nextOfAny()
    let since = ProcessLease.clock
    worker.send(.welcome(Welcome(worker: WorkerID(rawValue: 1), lease: 5_000)))
    return (worker, since)
  }

  @Test("without an answer all ends a second before the lease", arguments: Stopped.allCases)
  func lapse(stopped: Stopped) throws {
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
    }
    #expect(try reader.readToEnd() ?? Data() == Data())
    let elapsed = ProcessLease.clock - since
    #expect(elapsed > .seconds(2.5) && elapsed < .seconds(4), "\(elapsed)")
    guard case .signaled = try worker.end() else {
      Issue.record("it has not ended by a signal")
      return
    }
  }

  @Test("answers put the end off, and behind the middle of the last lease nothing begins")
  func renewal() throws {
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
    // Requests come at least four times in the time of a lease.
    while ProcessLease.clock < answered + .seconds(2.6) {
      guard case .renew = try worker.next() else { continue }
    }
    let began = place.folder.appending(path: "began").path
    let late = worker.shell("echo began > \(began)")
    worker.send(.execute(late))
    _ = try worker.end()
    #expect(ProcessLease.clock < answered + .seconds(4))
    #expect(!FileManager.default.fileExists(atPath: began))
  }
}
