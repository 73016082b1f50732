import PoolModel
import PoolTestSupport
import Testing

@testable import PoolCore

/// What a worker has, how long it is expected to take, and how often workers may die.
@Suite("Worker structures")
struct WorkerStructureTests {
  @Test("random traffic leaves a queue as it leaves an array", arguments: 0..<30)
  func queue(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var queue = AssignmentQueue()
    var model: [Assignment] = []
    for number in 0..<UInt64(1_000) {
      let assignment = Assignment(
        reference: reference(number),
        expected: Int64.random(in: 0...9, using: &generator),
        timeout: .max
      )
      queue.append(assignment)
      model.append(assignment)
      let isBusy = number % 100 < 60
      for _ in 0..<(isBusy ? 1 : 2) where !model.isEmpty && Bool.random(using: &generator) {
        queue.removeFirst()
        model.removeFirst()
      }
      if let prefetched = model.dropFirst().randomElement(using: &generator), number % 4 == 0 {
        for _ in 0..<2 { queue.removePrefetched(prefetched.handle) }
        model.removeAll { $0.number == prefetched.number }
      }
      compare(queue, model, seed)
    }
  }

  private func reference(_ number: UInt64) -> DispatchReference {
    DispatchReference(
      operation: OperationID(index: Int(number), generation: 0),
      dispatch: DispatchNumber(rawValue: number)
    )
  }

  private func compare(_ queue: AssignmentQueue, _ model: [Assignment], _ seed: UInt64) {
    #expect(queue.count == model.count, "seed \(seed)")
    #expect(queue.isEmpty == model.isEmpty, "seed \(seed)")
    #expect(queue.first?.number == model.first?.number, "seed \(seed)")
    #expect(queue.prefetched.map(\.number) == model.dropFirst().map(\.number), "seed \(seed)")
    let prefetchedWork = model.dropFirst().reduce(0) { $0 + $1.expected }
    #expect(queue.prefetchedWork == prefetchedWork, "seed \(seed)")
    if let last = model.last {
      #expect(queue.assignment(last.number)?.reference == last.reference, "seed \(seed)")
    }
  }

  @Test("the first of a queue is not prefetched, and a spent one is not there")
  func first() {
    var queue = AssignmentQueue()
    for number in UInt64(1)...2 {
      queue.append(
        Assignment(reference: reference(number), expected: 5, timeout: .max)
      )
    }
    queue.removePrefetched(reference(1).operation.handle)
    #expect(queue.count == 2)
    queue.removeFirst()
    #expect(queue.assignment(DispatchNumber(rawValue: 1)) == nil)
    #expect(queue.assignment(DispatchNumber(rawValue: 2)) != nil)
    #expect(queue.prefetchedWork == 0)
  }

  @Test("a length is known after eight samples, and one bunch cannot change it much")
  func estimate() {
    var estimate = PrefetchPolicy.Estimate()
    estimate.add(average: 800, count: 7)
    #expect(estimate.known == nil)
    estimate.add(average: 800, count: 1)
    #expect(estimate.known == 800)
    // Believed as 3,200: four times as much.
    estimate.add(average: 80_000, count: 1)
    #expect(estimate.known == 1_400)
    estimate.add(average: 0, count: 1)
    #expect(estimate.known == 1_050)
    for _ in 0..<20 { estimate.add(average: 80_000, count: 1) }
    #expect((estimate.known ?? 0) > 70_000)
    for _ in 0..<200 { estimate.add(average: 0, count: 1) }
    #expect(estimate.known == 1)
  }

  @Test("prefetch ends at two milliseconds of work, and at its count")
  func prefetch() {
    let limit = PrefetchPolicy.workLimit
    let window = PrefetchWindow()
    #expect(window.allows(limit, beyond: 0, count: 0))
    #expect(!window.allows(limit + 1, beyond: 0, count: 0))
    #expect(window.allows(1, beyond: limit - 1, count: 0))
    #expect(!window.allows(1, beyond: limit, count: 0))
    #expect(window.allows(1, beyond: 0, count: PrefetchPolicy.countLimit - 1))
    #expect(!window.allows(1, beyond: 0, count: PrefetchPolicy.countLimit))
  }

  @Test("deaths count until work is done, and the limit is the last that is allowed")
  func budget() {
    var budget = RestartBudget(limit: 2)
    let answers = [0, 0, 0, 1, 1, 1, 7].map { budget.allowsRestart(afterWork: $0) }
    #expect(answers == [true, true, false, true, true, false, true])
    budget.discount(5)
    let later = [7, 7, 7].map { budget.allowsRestart(afterWork: $0) }
    #expect(later == [true, true, false])
    var none = RestartBudget(limit: 0)
    let isAllowed = none.allowsRestart(afterWork: 0)
    #expect(!isAllowed)
  }
}
