import OperationPool
import PoolModel
import PoolTestSupport
import Synchronization
import Testing

/// Contract: with many threads at work, each change is told once, in order, and the calls for one
/// operation never overlap.
@Suite("Observing concurrently", .timeLimit(.minutes(30)))
struct ConcurrentObservationTests {
  /// One operation, and what its observers were told.
  private final class Subject: Sendable {
    let operation: PoolOperation
    let lines = Mutex<[String]>([])
    let breaches = Mutex<[String]>([])
    private let isTelling = Atomic(false)
    private let observations = Mutex<[PoolKeyValueObservation]>([])

    init(_ number: Int) {
      operation =
        number.isMultiple(of: 3) ? PoolBlockOperation {} : OperationPoolTests.operation("noop")
    }

    func follow(_ completed: Chronicle<Int>) {
      let all = [
        observe(\.isReady, "ready"), observe(\.isExecuting, "executing"),
        observe(\.isFinished, "finished"), observe(\.isCancelled, "cancelled"),
        observe(\.queuePriority, "priority"),
      ]
      observations.withLock { $0 = all }
      operation.completionBlock = { [self] in
        enter("completion")
        completed.write(0)
      }
    }

    private func observe<Value: Sendable>(
      _ key: KeyPath<PoolOperationKeys, PoolObservedKey<Value>>,
      _ word: String
    ) -> PoolKeyValueObservation {
      operation.observe(key, options: [.old, .new]) { [self] _, change in
        enter("\(word) \(change.oldValue.map { "\($0)" } ?? "") ", change.newValue.map { "\($0)" })
      }
    }

    private func enter(_ line: String, _ value: String? = nil) {
      if isTelling.exchange(true, ordering: .acquiring) {
        breaches.withLock { $0.append("overlap at \(line)") }
      }
      lines.withLock { $0.append(line + (value ?? "")) }
      isTelling.store(false, ordering: .releasing)
    }

    /// What is wrong with what was told: each old value is the new one before.
    func faults() -> [String] {
      var faults = breaches.withLock { $0 }
      var values = [
        "ready": "true", "executing": "false", "finished": "false", "cancelled": "false",
        "priority": "normal",
      ]
      var lines = lines.withLock { $0 }
      if let end = lines.firstIndex(of: "completion") { lines.remove(at: end) }
      for line in lines {
        let words = line.split(separator: " ").map { String($0) }
        guard words.count == 3, values[words[0]] == words[1], words[1] != words[2] else {
          faults.append(line)
          continue
        }
        values[words[0]] = words[2]
        if ["ready", "executing", "finished"].count(where: { values[$0] == "true" }) > 1 {
          faults.append("more than one state at \(line)")
        }
      }
      if values["finished"] != "true" { faults.append("not finished") }
      if values["priority"] != "\(operation.queuePriority)" { faults.append("a wrong priority") }
      if values["cancelled"] != "\(operation.isCancelled)" { faults.append("a wrong cancellation") }
      return faults
    }
  }

  @Test("1,000 operations, changed, cancelled and added from four threads")
  func many() async throws {
    let seed = UInt64.random(in: 0 ... .max)
    let queues = [try Pools.queue(2), try Pools.queue(2)]
    let completed = Chronicle<Int>()
    let subjects = (0..<1_000).map { Subject($0) }
    for subject in subjects { subject.follow(completed) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask {
          try await Blocking.run { try Self.disturb(subjects, queues, thread: thread, seed: seed) }
        }
      }
      try await group.waitForAll()
    }
    _ = try await completed.when(count: subjects.count)
    // What was set after the end is told after it.
    for subject in subjects { try await settle(subject.operation) }
    for (number, subject) in subjects.enumerated() {
      let faults = subject.faults()
      #expect(faults.isEmpty, "operation \(number), seed \(seed): \(faults)")
    }
    #expect(completed.all.count == subjects.count)
  }

  /// Waits until all that was posted for an operation has been told.
  private func settle(_ operation: PoolOperation) async throws {
    let told = Chronicle<Int>()
    let last = operation.observe(\.isFinished, options: .initial) { _, _ in told.write(0) }
    _ = try await told.when(count: 1)
    last.invalidate()
  }

  /// One thread adds a quarter of the operations, and changes any of them.
  private static func disturb(
    _ subjects: [Subject],
    _ queues: [PoolOperationQueue],
    thread: Int,
    seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed &+ UInt64(thread))
    let priorities = PoolQueuePriority.allCases
    for index in stride(from: thread, to: subjects.count, by: 4) {
      for _ in 0..<4 {
        let any = subjects[Int(generator.next() % UInt64(subjects.count))].operation
        any.queuePriority = priorities[Int(generator.next() % 5)]
      }
      if generator.next().isMultiple(of: 8) { subjects[index].operation.cancel() }
      try queues[Int(generator.next() % 2)].addOperation(subjects[index].operation)
      let any = subjects[Int(generator.next() % UInt64(subjects.count))].operation
      if generator.next().isMultiple(of: 16) { any.cancel() }
    }
  }
}
