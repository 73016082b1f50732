import Foundation
import OperationPool
import PoolModel
import PoolTestSupport
import Testing

/// Contract: an observer of a fleet is told when its workers are given up, why, and when they are
/// tried again.
@Suite("Events of a fleet", .timeLimit(.minutes(30)))
struct FleetEventTests {
  @Test("giving up a configuration is told before its operations fail, and a new attempt as well")
  func givenUp() async throws {
    let folder = try TestFolder()
    let program = Repository.program("test-worker").path(percentEncoded: false)
    let script = "test -e \"$1\" && OPOOL_WORKER=1 exec \"$2\"; echo no luck >&2; exit 7"
    let arguments = ["-c", script, "sh", folder.path(of: "works"), program]
    let fleet = try PoolFleet(
      .executable(Repository.program("test-worker"), count: 1),
      .executable(URL(filePath: "/bin/sh"), arguments: arguments, count: 1)
    )
    let other = try PoolFleet(.executable(Repository.program("test-worker"), count: 1))
    let (events, twin, others) = (fleet.events, fleet.events, other.events)
    var iterator = events.makeAsyncIterator()
    let queue = PoolOperationQueue(fleet: fleet)
    #expect(queue.fleet === fleet)

    let orphan = operation("a kind of nobody's")
    try queue.addOperation(orphan)
    guard case .gaveUp(1, let death?, 0) = await iterator.next() else {
      Issue.record("the second configuration was not given up")
      return
    }
    #expect(death.status == .exited(7) && death.errorTail == Array("no luck\n".utf8))
    #expect(try await orphan.finished().failure?.cause == .noWorker)

    try folder.write([], to: "works")
    let next = operation("a kind of nobody's")
    try queue.addOperation(next)
    #expect(await iterator.next() == .reopened(configuration: 1))
    #expect(try await next.finished().failure?.cause == .unservedKind)

    let words = await words(of: twin, 2)
    let first = "no more workers of configuration 1 are started: worker "
    #expect(words.first?.hasPrefix(first) == true)
    #expect(words.first?.hasSuffix("exited with code 7") == true)
    #expect(words.last == "workers of configuration 1 are tried again")
    _ = consume other
    for await event in others { Issue.record("\(event) is another fleet's") }
  }

  private func words(of events: PoolEventStream<PoolFleetEvent>, _ count: Int) async -> [String] {
    var words: [String] = []
    for await event in events.prefix(count) { words.append(event.description) }
    return words
  }

  @Test("a stream keeps no fleet, and ends with it; one asked for later tells nothing of before")
  func ends() async throws {
    var queue: PoolOperationQueue? = try PoolOperationQueue(
      workers: .command("sh -c 'exit 3'", count: 1)
    )
    let early = try #require(queue).fleet.events
    let orphan = operation("noop")
    try queue?.addOperation(orphan)
    try await orphan.finished()
    let late = try #require(queue).fleet.events
    queue = nil
    var told: [PoolFleetEvent] = []
    for await event in early { told.append(event) }
    for await event in late { Issue.record("\(event) was told to one that came after it") }
    #expect(told.count == 1)
    guard case .gaveUp(0, _, 0) = told.first else {
      Issue.record("\(told)")
      return
    }
  }
}
