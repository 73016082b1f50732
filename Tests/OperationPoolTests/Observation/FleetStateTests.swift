import Foundation
import OperationPool
import PoolModel
import PoolSystem
import PoolTestSupport
import Testing

/// Contract: how a fleet's workers stand can be asked for and followed; a slow reader gets the
/// latest state, and no reader keeps the fleet.
@Suite("The state of a fleet", .timeLimit(.minutes(30)))
struct FleetStateTests {
  /// Reads states up to one for which the closure holds.
  private func next(
    _ states: inout AsyncStream<PoolFleetState>.Iterator,
    where holds: (PoolFleetState) -> Bool
  ) async -> PoolFleetState? {
    while let state = await states.next() { if holds(state) { return state } }
    return nil
  }

  @Test("workers are counted by what they do, from the first start to the last end")
  func counts() async throws {
    let program = Repository.program("test-worker")
    let queue = try PoolOperationQueue(
      workers: .executable(program, count: 3),
      .inProcess(Hosted.kinds, count: 2)
    )
    let other = try PoolFleet(.executable(program, count: 1))
    var states = queue.fleet.states.makeAsyncIterator()
    let first = try #require(await states.next())
    #expect(first.configurations.map(\.count) == [3, 2] && first.alive == 0 && first.busy == 0)
    #expect(queue.fleet.state == first && first.description == "0 workers, 0 of them busy")

    let long = (0..<2).map { _ in operation("mixed", #"{"deed":{"forever":{}}}"#) }
    let deaf = Hosted.Call()
    let here = PoolTypedOperation(Hosted.Deaf(number: deaf.number))
    try queue.addOperations(long + [here])
    let full = try #require(await next(&states) { $0.busy == 3 })
    #expect(full.configurations.map(\.busy) == [2, 1] && full.alive >= 3)
    #expect(full.configurations.allSatisfy { $0.lastDeath == nil && !$0.isGivenUp })
    for operation in long { operation.cancel() }
    let less = try #require(await next(&states) { $0.busy == 1 })
    #expect(less.configurations[0].busy == 0 && less.configurations[0].idle > 0)
    deaf.state.withLock { $0.mayReturn = true }
    deaf.state.broadcast()
    #expect(other.state.alive == 0)
    await queue.shutdown()
    let last = await next(&states) { $0.alive == 0 }
    #expect(last?.configurations.map(\.alive) == [0, 0] && queue.fleet.state == last)
  }

  @Test("a configuration that was given up says why, until it is tried again")
  func givenUp() async throws {
    let folder = try TestFolder()
    let program = Repository.program("test-worker").path(percentEncoded: false)
    let script = "test -e \"$1\" && OPOOL_WORKER=1 exec \"$2\"; exit 7"
    let arguments = ["-c", script, "sh", folder.path(of: "works"), program]
    let shell = URL(filePath: "/bin/sh")
    func run() async throws {
      let queue = try PoolOperationQueue(
        workers: .executable(shell, arguments: arguments, count: 1)
      )
      #expect(!queue.fleet.state.configurations[0].isGivenUp, "the number was another fleet's")
      _ = try await queue.run(operation("noop"))
      let state = queue.fleet.state
      #expect(
        state.configurations[0].isGivenUp && state.configurations[0].lastDeath?.status == .exited(7)
      )
      #expect(
        state.description.hasPrefix("0 workers, 0 of them busy; no more of configuration 0 are ")
      )
      #expect(state.description.hasSuffix("exited with code 7"))
      try folder.write([], to: "works")
      #expect(try await queue.run(operation("noop")).ending == .succeeded)
      #expect(!queue.fleet.state.configurations[0].isGivenUp && queue.fleet.state.alive == 1)
      try FileManager.default.removeItem(atPath: folder.path(of: "works"))
      await queue.shutdown()
    }
    for _ in 0..<2 { try await run() }
  }

  @Test("a slow reader gets the latest state alone, and the stream ends with the fleet")
  func slow() async throws {
    var queue: PoolOperationQueue? = try Pools.queue(1)
    let states = try #require(queue).fleet.states
    for _ in 0..<20 { _ = try await queue?.run(operation("noop")) }
    _ = try #require(queue).fleet.states
    await queue?.shutdown()
    let end = try #require(queue).fleet.state
    queue = nil
    var read: [PoolFleetState] = []
    for await state in states { read.append(state) }
    #expect(read == [end] && end.alive == 0)
  }

  @Test("the last state is the end, although other fleets end at the same time")
  func together() async throws {
    try await withThrowingTaskGroup(of: Int?.self) { group in
      for _ in 0..<40 {
        group.addTask {
          var queue: PoolOperationQueue? = try PoolOperationQueue(
            workers: .inProcess(Hosted.kinds, count: 2)
          )
          let states = try #require(queue).fleet.states
          _ = try await queue?.run(operation("noop"))
          await queue?.shutdown()
          queue = nil
          return await states.reduce(nil) { $1.alive }
        }
      }
      for try await last in group { #expect(last == 0) }
    }
  }
}
