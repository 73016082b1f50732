import Foundation
import PoolCore
import PoolModel
import PoolSystem
import Testing

@testable import OperationPool

/// Contract: what a worker that lives in this process does where a process would be signalled, and
/// on which threads it works.
@Suite("In-process workers", .timeLimit(.minutes(1)))
struct InProcessWorkerTests {
  /// A queue's insides, with a ladder that is climbed at once.
  private func client() throws -> QueueClient {
    var policy = PoolPolicy()
    policy.ladder = PoolTerminationLadder(steps: [
      .init(.message, graceMilliseconds: 0), .init(.signal(15), graceMilliseconds: 0),
      .init(.signal(9), graceMilliseconds: 0),
    ])
    let coordinator = try Coordinator(policy: policy)
    let client = QueueClient(coordinator)
    _ = coordinator.addWorkers(.inProcess)
    try coordinator.start(for: client)
    return client
  }

  private func add(_ operation: PoolOperation, to client: QueueClient) {
    client.coordinator.update { shared, now in
      let spec = OperationSpec(kind: shared.kind(operation.kind))
      let id = shared.machine.create(spec)
      _ = operation.home { PoolOperation.Home(queue: client, id: id) }
      client.keep([.init(operation: operation, payload: [])], [id])
      shared.machine.enqueue(id, at: now)
    }
  }

  @Test("a deaf block outlives the whole ladder; its worker then ends, and another one follows")
  func deaf() async throws {
    let client = try client()
    let isDone = Monitor(false)
    let deaf = PoolBlockOperation { isDone.wait(while: { !$0 }, then: { _ in }) }
    let next = PoolBlockOperation {}
    add(deaf, to: client)
    #expect(await deaf.reaches(.executing))
    deaf.cancel()
    while client.coordinator.ask({ $0.nextDeadline }) != nil { await Task.yield() }
    #expect(deaf.isExecuting, "all rungs were taken")
    isDone.withLock { $0 = true }
    isDone.broadcast()
    let outcome = await deaf.finished()
    #expect(outcome.ending == .succeeded)
    add(next, to: client)
    let successor = await next.finished()
    #expect(successor.ending == .succeeded && successor.worker != outcome.worker)
    client.drop()
    client.coordinator.join()
    #expect(client.coordinator.ask { $0.liveWorkerCount } == 0)
  }

  @Test("a thread serves again, but not for a class that deserves more of the machine")
  func threads() throws {
    let crew = ThreadCrew()
    let usual = Self.nice
    #expect(try nice(of: crew, .background) == min(usual + 19, 19))
    #expect(try nice(of: crew, .utility) == min(usual + 5, 19))
    #expect(try nice(of: crew, .userInitiated) == usual)
    #expect(try nice(of: crew, .default) == usual)
    #expect(try nice(of: crew, .background) == min(usual + 19, 19))
    crew.close()
    #expect(try nice(of: crew, .default) == usual, "a crew that was closed still executes")
  }

  /// How nice a thread of the crew is.
  private func nice(of crew: ThreadCrew, _ qualityOfService: PoolQualityOfService) throws -> Int {
    let answer = Monitor<Int?>(nil)
    try crew.execute(as: qualityOfService) {
      let value = Self.nice
      answer.withLock { $0 = value }
      answer.broadcast()
    }
    return answer.wait(while: { $0 == nil }, then: { $0 ?? -1 })
  }

  /// The niceness of the calling thread: field 19 of its line in /proc, counted after its name.
  private static var nice: Int {
    let text = (try? String(contentsOfFile: "/proc/thread-self/stat", encoding: .utf8)) ?? ""
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    return fields.count > 16 ? Int(fields[16]) ?? -1 : -1
  }
}
