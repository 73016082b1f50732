import OperationPool
import PoolEvents
import PoolModel
import PoolTestSupport
import Testing

/// Contract: a stream of records tells all of a queue from its making on, in the form that
/// `opool report` reads, and holds up nothing.
@Suite("Records of a queue", .timeLimit(.minutes(30)))
struct RecordTests {
  private struct Broken: Error {}

  /// What a record says, in short; each is read from its JSON.
  private func words(_ record: PoolRecord) throws -> String {
    let line = try #require(try EventLine(Array(record.json.utf8)[...]))
    #expect(record.type == "\(line.record.type)" && !record.json.contains("\n"))
    switch line.record {
    case .submitted(let submitted):
      let needs = submitted.dependencies.map { " after \($0.number)" }.joined()
      let members = submitted.memberCount.map { " of \($0)" } ?? ""
      let group = submitted.group.map { " in \($0)" } ?? ""
      return "submitted \(submitted.number)\(needs)\(members)\(group)"
    case .started(let start): return "started \(start.number)/\(start.attempt)"
    case .attemptEnded(let end): return "ended \(end.number)/\(end.attempt) \(end.ending)"
    case .retryPlanned(let retry):
      let due = retry.due == nil ? "" : " later"
      return "retry \(retry.number)/\(retry.attempt)\(due): \(retry.reason)"
    case .settled(let end, _):
      return "settled \(end.number) \(end.ending)" + (end.root.map { " by \($0.number)" } ?? "")
    case .runEnded(let end): return "runEnded \(end.exitCode)"
    case .workerGreeted, .workerEnded, .runBegan, .halted, .steered: return record.type
    }
  }

  /// All records of a stream that ends; no time is before an earlier one.
  private func all(_ stream: PoolEventStream<PoolRecord>) async throws -> [String] {
    var (list, last) = ([] as [String], Duration.zero)
    for await record in stream {
      list.append(try words(record))
      #expect(record.time >= last)
      last = record.time
    }
    #expect(stream.missedCount == 0)
    return list
  }

  @Test("has additions, attempts, outcomes and their reasons, and an end")
  func blocks() async throws {
    var queue: PoolOperationQueue? = PoolOperationQueue(fleet: try PoolFleet([]))
    queue?.maxConcurrentOperationCount = 1
    let records = try #require(queue).records
    let first = PoolBlockOperation { throw Broken() }
    let second = PoolBlockOperation {}
    let third = PoolBlockOperation {}
    try second.addDependency(first, requiring: .succeeded)
    try third.addDependency(first)
    try queue?.addOperations([first, second, third])
    try await third.finished()
    try await second.finished()
    queue = nil
    let told = try await all(records)
    #expect(
      told.filter { !$0.contains(" 2/1") && !$0.contains(" 2 ") } == [
        "runBegan", "submitted 0", "submitted 1 after 0", "started 0/1", "ended 0/1 failed",
        "settled 0 failed", "settled 1 skipped by 0", "runEnded 1",
      ]
    )
    #expect(told.contains("submitted 2 after 0") && told.contains("settled 2 succeeded"))
  }

  @Test("has repeated attempts, and workers")
  func workers() async throws {
    var queue: PoolOperationQueue? = try PoolOperationQueue(
      workers: .executable(Repository.program("test-worker"), count: 1)
    )
    let records = try #require(queue).records
    let operation = operation("fail", #"{"message":"no"}"#, retries: 1)
    try queue?.addOperation(operation)
    try await operation.finished()
    await queue?.shutdown()
    queue = nil
    let told = try await all(records)
    #expect(
      told.filter { !$0.hasPrefix("worker") } == [
        "runBegan", "submitted 0", "started 0/1", "ended 0/1 failed", "retry 0/1 later: no",
        "started 0/2", "ended 0/2 failed", "settled 0 failed", "runEnded 1",
      ]
    )
    let greetings = told.count { $0 == "workerGreeted" }
    #expect(greetings > 0 && told.count { $0 == "workerEnded" } == greetings)
  }

  @Test("has no second end of an attempt after which the operation was cancelled")
  func cancelled() async throws {
    var queue: PoolOperationQueue? = PoolOperationQueue(fleet: try PoolFleet([]))
    let records = try #require(queue).records
    let options = PoolOperationOptions(retryPolicy: .retries(1, delay: .seconds(1_000)))
    let block = PoolBlockOperation(options: options) { throw Broken() }
    try queue?.addOperation(block)
    var told: [String] = []
    for await record in records {
      told.append(try words(record))
      if record.type == "retryPlanned" {
        block.cancel()
        try await block.finished()
        queue = nil
      }
    }
    #expect(told.filter { $0.hasPrefix("ended") } == ["ended 0/1 failed"])
    #expect(told.suffix(2) == ["settled 0 cancelled", "runEnded 1"])
  }

  @Test("begins with the operations that have not ended, and has groups with their members")
  func late() async throws {
    var queue: PoolOperationQueue? = PoolOperationQueue(fleet: try PoolFleet([]))
    queue?.isSuspended = true
    let member = PoolBlockOperation {}
    let group = try PoolGroupOperation(operations: [member])
    try queue?.addOperation(group)
    let records = try #require(queue).records
    queue?.isSuspended = false
    try await group.finished()
    queue = nil
    let told = try await all(records)
    #expect(told.prefix(3) == ["runBegan", "submitted 0 of 1", "submitted 1 in 0"])
    #expect(told.suffix(3) == ["settled 1 succeeded", "settled 0 succeeded", "runEnded 0"])
  }

  @Test("that nobody reads in time keeps the latest, counts the others, and delays nothing")
  func slow() async throws {
    var queue: PoolOperationQueue? = PoolOperationQueue(fleet: try PoolFleet([]))
    let records = try #require(queue).records
    let count = 6_000
    let operations = (0..<count).map { _ in PoolBlockOperation {} }
    try queue?.addOperations(operations)
    try await queue?.allOperationsFinished()
    queue = nil
    var read = 0
    var last: PoolRecord?
    for await record in records { (read, last) = (read + 1, record) }
    #expect(read == PoolEventStream<PoolRecord>.capacity)
    // One for the beginning and the end each, and four for each operation.
    #expect(read + records.missedCount == 2 + 4 * count)
    #expect(last?.type == "runEnded")
  }

  @Test("whose reader is gone costs nothing more, and others go on")
  func abandoned() async throws {
    var queue: PoolOperationQueue? = PoolOperationQueue(fleet: try PoolFleet([]))
    _ = queue?.records
    let records = try #require(queue).records
    try queue?.addOperation(PoolBlockOperation {})
    try await queue?.allOperationsFinished()
    queue = nil
    #expect(try await all(records).last == "runEnded 0")
  }
}
