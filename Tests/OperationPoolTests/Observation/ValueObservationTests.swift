import OperationPool
import PoolModel
import Synchronization
import Testing

/// Contract: what is set on an operation is told with its old and its new value, as the options
/// ask, in the shape of Foundation's key-value observing.
@Suite("Observing values", .timeLimit(.minutes(30)))
struct ValueObservationTests {
  @Test("priorities are told when they change, and only then")
  func priority() async throws {
    let (operation, chronicle) = (operation("noop"), Chronicle<[PoolQueuePriority?]>())
    let observation = operation.observe(\.queuePriority, options: [.old, .new]) { _, change in
      chronicle.write([change.oldValue, change.newValue])
    }
    operation.queuePriority = .high
    operation.queuePriority = .high
    operation.queuePriority = .veryLow
    #expect(try await chronicle.when(count: 2) == [[.normal, .high], [.high, .veryLow]])
    observation.invalidate()
  }

  @Test("dependencies are told whole, and a duplicate is no change")
  func dependencies() async throws {
    let (first, second) = (operation("noop", name: "1"), operation("noop", name: "2"))
    let (dependent, chronicle) = (operation("noop"), Chronicle<[[String?]?]>())
    try dependent.addDependency(first)
    let observation = dependent.observe(\.dependencies, options: [.old, .new, .initial]) {
      chronicle.write([$1.oldValue?.map(\.name), $1.newValue?.map(\.name)])
    }
    try dependent.addDependency(second)
    try dependent.addDependency(second)
    dependent.removeDependency(first)
    dependent.removeDependency(first)
    dependent.removeDependency(second)
    #expect(
      try await chronicle.when(count: 4)
        == [[nil, ["1"]], [["1"], ["1", "2"]], [["1", "2"], ["2"]], [["2"], []]]
    )
    observation.invalidate()
  }

  @Test("completion blocks are told, and that the last one is let go, before it is called")
  func completion() async throws {
    let queue = try Pools.queue()
    let (operation, chronicle) = (operation("noop"), Chronicle<String>())
    let observation = operation.observe(\.completionBlock, options: [.old, .new]) { _, change in
      let words = [change.oldValue, change.newValue].map {
        $0.map { $0 == nil ? "none" : "one" } ?? "?"
      }
      chronicle.write(words.joined(separator: " to "))
    }
    operation.completionBlock = { chronicle.write("wrong") }
    operation.completionBlock = { chronicle.write("completion") }
    try queue.addOperation(operation)
    #expect(
      try await chronicle.whenCompleted()
        == ["none to one", "one to one", "one to none", "completion"]
    )
    let late = Chronicle<String>()
    operation.completionBlock = { late.write("late") }
    #expect(try await late.when(count: 1) == ["late"])
    #expect(operation.completionBlock == nil && chronicle.all.count == 4)
    withExtendedLifetime(observation) {}
  }

  @Test("the first call tells what there is, of each property")
  func initial() async throws {
    let (operation, block) = (operation("noop"), PoolBlockOperation {})
    let chronicle = Chronicle<String>()
    func look(
      _ operation: PoolOperation,
      _ key: KeyPath<PoolOperationKeys, PoolObservedKey<Bool>>
    ) async throws -> String? {
      let count = chronicle.all.count
      let observation = operation.observe(key, options: [.initial, .old, .new]) { _, change in
        chronicle.write("\(change.oldValue as Any) \(change.newValue as Any)")
      }
      defer { observation.invalidate() }
      return try await chronicle.when(count: count + 1).last
    }
    #expect(try await look(operation, \.isAsynchronous) == "nil Optional(true)")
    #expect(try await look(block, \.isAsynchronous) == "nil Optional(false)")
    #expect(try await look(operation, \.isReady) == "nil Optional(true)")
    #expect(try await look(operation, \.isExecuting) == "nil Optional(false)")
    operation.cancel()
    #expect(try await look(operation, \.isCancelled) == "nil Optional(true)")
    try Pools.queue().addOperation(operation)
    try await operation.finished()
    #expect(try await look(operation, \.isFinished) == "nil Optional(true)")
    #expect(try await look(operation, \.isReady) == "nil Optional(false)")
  }

  @Test("values come as the options ask; the call ahead of a change never has the new one")
  func options() async throws {
    let (operation, chronicle) = (operation("noop"), Chronicle<String>())
    func observe(_ options: PoolKeyValueObservingOptions) -> PoolKeyValueObservation {
      operation.observe(\.queuePriority, options: options) { seen, change in
        let values = [change.oldValue, change.newValue].map { $0.map { "\($0)" } ?? "-" }
        chronicle.write("\(options.rawValue) \(values) \(change.isPrior) \(seen === operation)")
      }
    }
    let all: PoolKeyValueObservingOptions = [.new, .old, .initial, .prior]
    let observations = [observe([]), observe(.new), observe(.old), observe(all)]
    operation.queuePriority = .low
    #expect(
      try await chronicle.when(count: 6) == [
        #"15 ["-", "normal"] false true"#,
        #"0 ["-", "-"] false true"#,
        #"1 ["-", "low"] false true"#,
        #"2 ["normal", "-"] false true"#,
        #"15 ["normal", "-"] true true"#,
        #"15 ["normal", "low"] false true"#,
      ]
    )
    withExtendedLifetime(observations) {}
  }
}
