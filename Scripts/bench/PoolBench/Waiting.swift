import Foundation
import OperationPool
import Synchronization

/// Threads that each add an operation and wait for it, in a loop: ours in two worker processes,
/// ours as blocks, and Foundation's.
enum Waiting {
  /// Alternates all three, and prints the operations a second of each round, for all threads
  /// together, and the processor time of an operation in this process.
  static func compare(threads: Int, milliseconds: Int, rounds: Int) throws {
    let queue = try PoolOperationQueue(workers: .thisExecutable(count: 2))
    let foundation = OperationQueue()
    foundation.maxConcurrentOperationCount = 2
    for _ in 0..<rounds {
      measure("foundation", threads, milliseconds) {
        let operation = BlockOperation {}
        foundation.addOperation(operation)
        operation.waitUntilFinished()
      }
      measure("pool", threads, milliseconds) {
        let operation = PoolInvocationOperation(kind: "noop")
        try? queue.addOperation(operation)
        try? operation.waitUntilFinished()
      }
      measure("blocks", threads, milliseconds) {
        let operation = PoolBlockOperation {}
        try? queue.addOperation(operation)
        try? operation.waitUntilFinished()
      }
    }
  }

  /// Has threads call the closure until the time is over.
  private static func measure(
    _ name: String,
    _ threads: Int,
    _ milliseconds: Int,
    _ body: @escaping @Sendable () -> Void
  ) {
    let isOver = Flag()
    let count = Count()
    let ends = DispatchGroup()
    let processor = Figures.processorSeconds
    let clock = ContinuousClock()
    let start = clock.now
    for _ in 0..<threads {
      ends.enter()
      Thread.detachNewThread {
        while !isOver.isSet {
          body()
          count.add(1)
        }
        ends.leave()
      }
    }
    Thread.sleep(forTimeInterval: Double(milliseconds) / 1_000)
    isOver.set()
    ends.wait()
    let seconds = (clock.now - start) / .seconds(1)
    Figures.say(name, Double(count.value) / seconds)
    let cost = (Figures.processorSeconds - processor) * 1e6 / Double(count.value)
    Figures.say("\(name).processor", cost)
  }
}

/// A flag that several threads read.
final class Flag: Sendable {
  private let state = Atomic(false)

  var isSet: Bool { state.load(ordering: .relaxed) }

  func set() { state.store(true, ordering: .relaxed) }
}

/// A number that several threads raise.
final class Count: Sendable {
  private let state = Atomic(0)

  var value: Int { state.load(ordering: .acquiring) }

  func add(_ number: Int) { state.add(number, ordering: .acquiringAndReleasing) }
}
