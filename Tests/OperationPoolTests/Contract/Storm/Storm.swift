import Dispatch
import OperationPool
import PoolModel
import PoolSystem
import PoolTestSupport
import Synchronization

/// Random calls from several threads at once, to several queues and operations, whose blocks write
/// down what they see; afterwards nothing that was written may break a rule.
///
/// The calls of each thread follow from the seed; how they fall together does not.
struct Storm {
  static let threadCount = 4
  static let waiterCount = 2
  static let count = 96

  let seed: UInt64
  let trace = StormTrace(count)
  let plans: [StormPlan]
  let operations: [PoolBlockOperation]
  let queues: [StormQueue]
  /// For operations that the others refuse: there is no barrier in it.
  let spare: PoolOperationQueue
  let limit: StormLimit
  /// Serial, so that after waiting for a block in it nothing follows.
  let callbacks = DispatchQueue(label: "storm")

  init(seed: UInt64) throws(PoolError) {
    self.seed = seed
    var generator = SeededGenerator(seed: seed)
    let fleet = try PoolFleet()
    let (trace, callbacks) = (trace, callbacks)
    let limit = StormLimit(2, trace)
    self.limit = limit
    for category in StormPlan.categories { trace.supply(.category(category), 1) }
    queues = (0..<3).map { StormQueue($0, fleet, callbacks, trace) }
    spare = PoolOperationQueue(fleet: fleet)
    spare.underlyingQueue = callbacks
    plans = (0..<Self.count).map { StormPlan($0, seed: seed, &generator) }
    operations = plans.map { $0.operation(limit.limit, trace) }
  }

  /// What one operation requires of another, if it depends on it.
  func requirement(of index: Int, on other: Int) -> PoolRequirement {
    var generator = SeededGenerator(seed: seed ^ UInt64(index * Self.count + other) << 20)
    guard Bool.random(using: &generator) else { return .finished }
    return PoolRequirement.allCases.randomElement(using: &generator) ?? .finished
  }

  /// The places of operations among those of the storm.
  func indices(of others: [PoolOperation]) -> [Int] {
    others.compactMap { other in operations.firstIndex { $0 === other } }
  }
}

// MARK: - Its course

extension Storm {
  /// Makes all calls, and waits until everything has ended; returns what was wrong.
  func rage() throws -> [String] {
    // What were lost would hang for ever: cancelled, it is a fault.
    let watchdog = Watchdog { [self] in
      trace.fault("something never ended")
      for queue in queues.map(\.queue) + [spare] { queue.cancelAllOperations() }
    }
    defer { withExtendedLifetime(watchdog) {} }
    let waiters = try (0..<Self.waiterCount).map { number in
      try SystemThread.start(name: "waiter", mask: .full) { wait(number) }
    }
    let threads = try (0..<Self.threadCount).map { number in
      try SystemThread.start(name: "storm", mask: .full) {
        var thread = StormThread(self, number)
        thread.play()
      }
    }
    for thread in threads { thread.join() }
    for queue in queues { queue.set { $0 = .open } }
    limit.set(2)
    for thread in waiters { thread.join() }
    for queue in queues.map(\.queue) + [spare] {
      try queue.waitUntilAllOperationsAreFinished()
      if queue.operationCount != 0 { trace.fault("a queue counts what is not there") }
    }
    callbacks.sync {}
    return faults().map { "seed \(seed): \($0)" }
  }

  /// Waits for every operation, in an order of its own.
  private func wait(_ number: Int) {
    var generator = SeededGenerator(seed: seed &* 17 &+ UInt64(number))
    for index in operations.indices.shuffled(using: &generator) {
      let operation = operations[index]
      do throws(PoolError) {
        try operation.waitUntilFinished()
      } catch {
        trace.fault("waiting for \(index) was refused: \(error)")
      }
      let queue = queues[plans[index].queue].queue
      if operation.outcome == nil || queue.operations.contains(where: { $0 === operation }) {
        trace.fault("\(index) had not left its queue when somebody had waited for it")
      }
    }
  }
}
