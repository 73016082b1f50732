import Foundation
import OperationPool
import PoolModel
import PoolTestSupport

/// One operation of a storm, and what is known of it beforehand.
struct StormPlan {
  static let categories = ["a", "b"]

  let index: Int
  /// Which queue it goes to.
  let queue: Int
  private(set) var options = PoolOperationOptions()
  /// How many of its executions fail.
  let failures: Int
  /// What it takes while it executes.
  private(set) var uses: [StormSupply: Int]
  /// How often its block lets others go first, so that executions overlap.
  private let patience: Int

  init(_ index: Int, seed: UInt64, _ generator: inout SeededGenerator) {
    func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }
    self.index = index
    queue = Int.random(in: 0..<3, using: &generator)
    options.queuePriority = PoolQueuePriority.allCases.randomElement(using: &generator) ?? .normal
    options.isBarrier = chance(5)
    options.slots = chance(20) ? 2 : 1
    options.retryPolicy = .retries(1)
    failures = chance(25) ? Int.random(in: 1...2, using: &generator) : 0
    patience = Int.random(in: 0..<20, using: &generator)
    uses = [.width(queue: queue): options.slots]
    if chance(20) { uses[.limit] = 1 }
    for category in Self.categories where chance(15) {
      // Categories are the whole process's: other seeds have others.
      options.exclusive.append("\(category) of storm \(seed)")
      uses[.category(category)] = 1
    }
  }

  func operation(_ limit: PoolLimit, _ trace: StormTrace) -> PoolBlockOperation {
    var options = options
    if uses[.limit] != nil { options.limits = [limit] }
    let operation = PoolBlockOperation(options: options) { try execute(trace) }
    operation.completionBlock = { [weak operation, index] in
      trace.write(index) { record, _ in record.completed += 1 }
      if operation?.isFinished == false { trace.fault("\(index) was complete, but not finished") }
    }
    return operation
  }

  private func execute(_ trace: StormTrace) throws {
    let attempt = trace.begin(index, taking: uses)
    defer { trace.end(index, taking: uses) }
    let own = PoolOperation.current
    if own?.isExecuting != true { trace.fault("\(index) executes, but does not say so") }
    if own?.dependencies.allSatisfy(\.isFinished) != true {
      trace.fault("\(index) executes before what it depends on has ended")
    }
    for _ in 0..<patience { sched_yield() }
    if attempt <= failures { throw Refusal(description: "attempt \(attempt)") }
  }
}
