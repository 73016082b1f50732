import Dispatch
import PoolJournal
import PoolSystem
import Synchronization
import Testing

@testable import PoolCommand
@testable import PoolReports

/// Contract: the journal learns what a target has only after the disk has it.
@Suite("Syncing the targets of a run")
struct TargetSyncTests {
  private final class Disk: Sendable {
    let events = Mutex<[String]>([])
    let fails: Bool

    init(fails: Bool = false) { self.fails = fails }

    func sync() throws(SystemFailure) {
      events.withLock { $0.append("sync") }
      if fails { throw SystemFailure(call: "fdatasync", code: 5) }
    }
  }

  private func sync(_ disk: Disk) throws -> TargetSync {
    let results = TargetRoles.results.rawValue
    return try TargetSync(
      [results: { () throws(SystemFailure) in try disk.sync() }],
      record: { operations, role, extent in
        disk.events.withLock { $0.append("\(operations) \(role.rawValue) \(extent?.length ?? 0)") }
      }
    )
  }

  @Test("What was noted is recorded after the sync, with the last length")
  func order() throws {
    let disk = Disk()
    let sync = try sync(disk)
    #expect(sync.delays(.results) && !sync.delays(.jobLog))
    sync.note([1, 2], by: .results, TargetExtent(length: 10, endingIn: []))
    sync.note([3], by: .results, TargetExtent(length: 15, endingIn: []))
    sync.note([], by: .results, nil)
    #expect(finish(sync).isEmpty)
    let events = disk.events.withLock { $0 }
    // The thread may have synced in between.
    #expect(events.first == "sync" && events.last?.hasSuffix(" 2 15") == true, "\(events)")
  }

  @Test(
    "After a failed sync nothing is recorded, since a later one may succeed without the bytes; it is told"
  )
  func failure() throws {
    let disk = Disk(fails: true)
    let sync = try sync(disk)
    sync.note([1], by: .results, nil)
    let failures = finish(sync)
    #expect(failures.map(\.role) == [.results] && failures.map(\.failure.code) == [5])
    #expect(disk.events.withLock { $0 } == ["sync"])
  }

  @Test("A sync that takes long holds up no end, and what it syncs is not recorded any more")
  func abandoned() throws {
    let (disk, mayEnd) = (Disk(), DispatchSemaphore(value: 0))
    let (hasBegun, hasEnded) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let results = TargetRoles.results.rawValue
    let sync = try TargetSync(
      [
        results: {
          hasBegun.signal()
          mayEnd.wait()
        }
      ],
      record: { _, _, _ in disk.events.withLock { $0.append("record") } }
    )
    sync.note([1], by: .results, nil)
    sync.finish { hasEnded.signal() }
    hasBegun.wait()
    #expect(sync.abandon().isEmpty)
    mayEnd.signal()
    hasEnded.wait()
    #expect(disk.events.withLock { $0 }.isEmpty)
  }

  /// Lets the thread do the rest; returns what has failed.
  private func finish(_ sync: TargetSync) -> [(role: TargetRoles, failure: SystemFailure)] {
    let hasEnded = DispatchSemaphore(value: 0)
    sync.finish { hasEnded.signal() }
    hasEnded.wait()
    return sync.abandon()
  }
}
