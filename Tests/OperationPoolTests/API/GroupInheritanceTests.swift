import Dispatch
import OperationPool
import PoolModel
import PoolSystem
import Testing

/// Contract: operations in a group inherit the quality of service and the callback queue that hold
/// for the group; the group's own width holds for all that is in it.
@Suite("What groups hand down", .timeLimit(.minutes(30)))
struct GroupInheritanceTests {
  /// The niceness with which each of these executes in a group, by the quality that each has.
  private func niceness(
    of own: [PoolQualityOfService],
    group quality: PoolQualityOfService,
    depth: Int = 1,
    in queue: PoolOperationQueue
  ) async throws -> [Int?] {
    let members = own.map { quality in
      PoolInvocationOperation(kind: "niceness", options: .init(qualityOfService: quality))
    }
    var group = try PoolGroupOperation(
      options: .init(qualityOfService: quality),
      operations: members
    )
    for _ in 1..<depth { group = try PoolGroupOperation(operations: [group]) }
    try queue.addOperation(group)
    try await group.finished()
    return members.map { Int($0.outcome?.text ?? "") }
  }

  @Test("a member's own quality of service holds, then its group's, then the queue's")
  func quality() async throws {
    let queue = try Pools.queue()
    let qualities = [PoolQualityOfService.default, .userInitiated, .background]
    let usual = try #require(await niceness(of: [.default], group: .default, in: queue)[0])
    #expect(
      try await niceness(of: qualities, group: .utility, in: queue) == [usual + 5, usual, 19]
    )
    queue.qualityOfService = .utility
    #expect(
      try await niceness(of: qualities, group: .default, in: queue) == [usual + 5, usual, 19]
    )
    #expect(try await niceness(of: [.default], group: .background, in: queue) == [19])
  }

  @Test("quality of service goes through groups in groups")
  func nestedQuality() async throws {
    let queue = try Pools.queue()
    let usual = try #require(await niceness(of: [.default], group: .default, in: queue)[0])
    queue.qualityOfService = .background
    #expect(try await niceness(of: [.default], group: .default, depth: 3, in: queue) == [19])
    let qualities = [PoolQualityOfService.default, .userInitiated]
    #expect(
      try await niceness(of: qualities, group: .utility, depth: 3, in: queue)
        == [usual + 5, usual]
    )
  }

  @Test(
    "completion blocks of members are called where those of the queue are, executed or not",
    arguments: [false, true]
  )
  func callbacks(isCancelled: Bool) async throws {
    let queue = try Pools.blocks()
    let key = DispatchSpecificKey<String>()
    let callbacks = DispatchQueue(label: "callbacks")
    callbacks.setSpecific(key: key, value: "callbacks")
    queue.underlyingQueue = callbacks
    let notebook = Notebook<String>()
    let operations = [block("plain"), block("nested")]
    for operation in operations {
      operation.completionBlock = { [label = operation.name ?? ""] in
        notebook.write("\(label) on \(DispatchQueue.getSpecific(key: key) ?? "another queue")")
      }
    }
    let inner = try PoolGroupOperation(operations: [operations[1]])
    let group = try PoolGroupOperation(operations: [operations[0], inner])
    if isCancelled { group.cancel() }
    try queue.addOperation(group)
    try await queue.allOperationsFinished()
    // Serial: every earlier call has ended before this.
    await withCheckedContinuation { continuation in
      callbacks.async { continuation.resume() }
    }
    #expect(notebook.all.sorted() == ["nested on callbacks", "plain on callbacks"])
  }

  @Test("the width of a group holds for the members of groups in it, too")
  func width() async throws {
    let queue = try Pools.blocks()
    let notebook = Notebook<String>()
    let members = (0..<20).map { index in
      PoolBlockOperation {
        notebook.write("begin \(index)")
        notebook.write("end \(index)")
      }
    }
    let inner = try PoolGroupOperation(operations: Array(members[10...]))
    let outer = try PoolGroupOperation(operations: Array(members[..<10]))
    try outer.addOperation(inner)
    outer.maxConcurrentOperationCount = 1
    #expect(inner.maxConcurrentOperationCount == .max)
    try queue.addOperation(outer)
    #expect(try await outer.finished().ending == .succeeded)
    #expect(notebook.all == (0..<20).flatMap { ["begin \($0)", "end \($0)"] })
  }

  @Test("the width of a group may change while it executes; none holds its members back")
  func liveWidth() async throws {
    let queue = try Pools.blocks()
    let notebook = Notebook<Int>()
    let members = (0..<3).map { index in block { notebook.write(index) } }
    let group = try PoolGroupOperation(operations: members)
    group.maxConcurrentOperationCount = 0
    try queue.addOperation(group)
    #expect(await group.reaches(.executing))
    let after = block()
    try queue.addOperation(after)
    try await after.finished()
    #expect(notebook.all.isEmpty)
    group.maxConcurrentOperationCount = 1
    #expect(try await group.finished().ending == .succeeded)
    #expect(notebook.all == [0, 1, 2])
  }
}
