import PoolEvents
import PoolInputs
import PoolModel
import Testing

@testable import PoolCommand
@testable import PoolReports

/// Contract: a block knows the latest failures, how far groups are, and where workers are.
@Suite("What a live block is told by records")
struct RunWatchTests {
  private let manifest = """
    {"id":"a","shell":"true","group":"one"}
    {"id":"b","shell":"true","group":"one"}
    {"id":"c\\u001b","shell":"true","group":"two"}
    {"id":"d","shell":"true"}
    {"id":"e","shell":"true"}
    """

  private func watch() throws -> RunWatch {
    RunWatch(try Manifest(Array(manifest.utf8)))
  }

  private func settle(
    _ number: Int,
    _ ending: PoolEnding,
    exit: Int32? = nil,
    members: Int? = nil,
    isResumed: Bool = false
  ) -> RunRecord {
    let end = EndRecord(
      number: number,
      memberCount: members,
      ending: ending,
      exit: exit,
      isResumed: isResumed
    )
    return .settled(end, counts: true)
  }

  @Test("The latest three failures of this run are kept, the latest first")
  func failures() throws {
    let watch = try watch()
    watch.take(settle(0, .failed, exit: 1))
    watch.take(settle(1, .failed, isResumed: true))
    watch.take(settle(2, .failed, exit: 3))
    watch.take(settle(3, .timedOut))
    watch.take(settle(4, .lost))
    #expect(watch.failures == ["e lost", "d timed out", "c\\x1B failed: exit code 3"])
  }

  @Test("Members are counted as they end; groups that have ended are left out")
  func groups() throws {
    let watch = try watch()
    let one = WatchedRun.Share("one", 0, of: 2)
    let two = WatchedRun.Share("two", 0, of: 1)
    #expect(watch.groups == [one, two])
    watch.take(settle(0, .succeeded))
    watch.take(settle(2, .skipped))
    watch.take(settle(3, .skipped))
    watch.take(settle(6, .failed, members: 1))
    #expect(watch.groups == [WatchedRun.Share("one", 1, of: 2)])
    #expect(watch.skipped == 2 && watch.failures.isEmpty)
  }

  @Test("Workers have the places of their configurations")
  func places() throws {
    let watch = try watch()
    let places = WorkerRoster([
      WorkerRequest(count: 1, command: Array("ssh pc opool-worker".utf8)),
      WorkerRequest(count: 2, command: Array("./model".utf8)),
    ])
    let (first, second) = (WorkerID(rawValue: 1), WorkerID(rawValue: 2))
    #expect(places.name(of: first, watch) == "worker 1")
    watch.take(.workerGreeted(WorkerGreeted(worker: first, process: 9, configuration: 0)))
    watch.take(.workerGreeted(WorkerGreeted(worker: second, process: 8, configuration: 1)))
    #expect(
      places.name(of: first, watch) == "ssh pc" && places.name(of: second, watch) == "./model"
    )
    let executing = [3: RunProgress.Execution(start: .zero, worker: second)]
    let shares = [WatchedRun.Share("ssh pc", 0, of: 1), WatchedRun.Share("./model", 1, of: 2)]
    let states = [("ssh pc", 1), ("./model", 2)].enumerated().map { index, place in
      let state = PlaceState(place.0, limit: place.1, starting: 0)
      return WorkerRoster.Place(configuration: index, state: state)
    }
    #expect(places.shares(executing, watch, of: states) == shares)
    let end = WorkerEnded(worker: first, process: 9, manner: "exit", status: nil, message: "")
    watch.take(.workerEnded(end))
    #expect(places.name(of: first, watch) == "worker 1")
  }
}
