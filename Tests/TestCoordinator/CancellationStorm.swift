import OperationPool
import OperationWorker
import PoolModel
import PoolTestSupport
import Synchronization

/// What an operation of a storm does, in a worker.
struct StormDeed: AsyncWorkerOperation {
  static let kind = "storm"

  enum Deed: Codable, Sendable {
    case answer
    case yield(Int)
    case fail
    case exit
    case forever
  }

  var number: Int
  var deed = Deed.answer

  func main(_ context: WorkerContext) async throws -> Int {
    switch deed {
    case .answer: break
    case .yield(let count): for _ in 0..<count { await Task.yield() }
    case .fail: throw Refusal()
    case .exit: StormWorker.end()
    case .forever: try await Task.sleep(for: .seconds(1_000))
    }
    return number
  }

  private struct Refusal: Error {}
}

/// Tasks that are cancelled at random around everything that awaits, while their queue is shut
/// down.
struct CancellationStorm: Sendable {
  private let seed: UInt64
  private let count: Int
  private let isInProcess: Bool
  /// Whether the shutdown cancels.
  private let cancels: Bool
  private let queue: PoolOperationQueue
  /// Operations that several tasks await, and that none of these may cancel.
  private let shared: [PoolTypedOperation<Int>]
  private let ledger: StormLedger
  private let endedCount = Counter()

  final class Counter: Sendable { let value = Atomic(0) }

  init(seed: UInt64, count: Int, _ ledger: StormLedger) throws {
    self.ledger = ledger
    var generator = SeededGenerator(seed: seed)
    self.seed = seed
    self.count = count
    isInProcess = .random(using: &generator)
    cancels = .random(using: &generator)
    let workers: PoolWorkerConfiguration =
      isInProcess ? .inProcess(StormWorker.kinds, count: 4) : .thisExecutable(count: 3)
    queue = try PoolOperationQueue(workers: workers)
    queue.capacity = 200
    shared = (0..<10).map { PoolTypedOperation(StormDeed(number: $0, deed: .yield(50))) }
  }

  /// Lets the tasks loose; returns what has gone wrong.
  func rage() async throws -> [String] {
    for operation in shared { ledger.follow(operation) }
    try queue.addOperations(shared)
    var faults = await withTaskGroup(of: [String].self) { group in
      for number in 0..<count { group.addTask { await cancelled(number) } }
      for _ in 0..<2 { group.addTask { await shutDown() } }
      return await group.reduce(into: []) { $0 += $1 }
    }
    await queue.shutdown()
    if queue.operationCount != 0 { faults.append("\(queue.operationCount) left in the queue") }
    if queue.fleet.state.alive != 0 { faults.append("\(queue.fleet.state) after the shutdown") }
    if !cancels {
      for operation in shared where operation.outcome?.ending != .succeeded {
        faults.append("awaited by cancelled tasks: \(operation.outcome.map { "\($0)" } ?? "-")")
      }
    }
    return faults
  }

  private func shutDown() async -> [String] {
    let start = count * 3 / 4
    while endedCount.value.load(ordering: .relaxed) < start { await Task.yield() }
    await queue.shutdown(cancels ? .cancel : .finish)
    return queue.operationCount == 0 ? [] : ["a shutdown returned before the end"]
  }

  /// A task that is cancelled after a while, or not.
  private func cancelled(_ number: Int) async -> [String] {
    var generator = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(number))
    let isCancelled = Bool.random(using: &generator)
    let delay = Int.random(in: 0..<300, using: &generator)
    let task = Task { [generator] in
      await act(number, willBeCancelled: isCancelled, generator)
    }
    if isCancelled {
      for _ in 0..<delay { await Task.yield() }
      task.cancel()
    }
    let faults = await task.value
    endedCount.value.add(1, ordering: .relaxed)
    return faults
  }

  /// Does one of all things that await; throws what it may.
  private func act(
    _ number: Int,
    willBeCancelled: Bool,
    _ generator: SeededGenerator
  ) async -> [String] {
    var generator = generator
    do {
      switch Int.random(in: 0..<8, using: &generator) {
      case 0, 1: return try await run(number, willBeCancelled, &generator)
      case 2: _ = try await shared[number % shared.count].value
      case 3: return try await map(number, willBeCancelled, &generator)
      case 4: return try await reduce()
      case 5: return try await addAndAwait(number)
      case 6: return try await block(number)
      default: try await queue.allOperationsFinished()
      }
      return []
    } catch let error as PoolError where error.code == .shutDown {
      return []
    } catch is CancellationError {
      return willBeCancelled || cancels ? [] : ["task \(number) was told of a cancellation"]
    } catch let failure as PoolFailure {
      let isExpected = [.error, .workerDied, .quarantined].contains(failure.cause) || cancels
      return isExpected ? [] : ["task \(number): \(failure.cause) \(failure)"]
    } catch {
      return ["task \(number): \(error)"]
    }
  }
}

// MARK: - What tasks do

extension CancellationStorm {
  private func deed(
    _ mayLast: Bool,
    _ generator: inout SeededGenerator
  ) -> StormDeed.Deed {
    switch Int.random(in: 0..<20, using: &generator) {
    case 0..<10: .answer
    case 10..<15: .yield(.random(in: 0..<100, using: &generator))
    case 15, 16: .fail
    case 17: isInProcess ? .fail : .exit
    default: mayLast ? .forever : .answer
    }
  }

  private func run(
    _ number: Int,
    _ mayLast: Bool,
    _ generator: inout SeededGenerator
  ) async throws -> [String] {
    let operation = PoolTypedOperation(
      StormDeed(number: number, deed: deed(mayLast, &generator))
    )
    ledger.follow(operation)
    do {
      let value = try await queue.run(operation)
      return value == number ? [] : ["\(value) in place of \(number)"]
    } catch {
      let isOver = operation.outcome != nil || ledger.wasRefused(operation)
      return isOver ? try rethrow(error) : ["run threw before its operation had ended"]
    }
  }

  private func rethrow(_ error: any Error) throws -> [String] { throw error }

  private func map(
    _ number: Int,
    _ mayLast: Bool,
    _ generator: inout SeededGenerator
  ) async throws -> [String] {
    let deeds = (0..<5).map { StormDeed(number: $0, deed: deed(mayLast, &generator)) }
    let leaves = Bool.random(using: &generator)
    var seen: Set<Int> = []
    for try await (index, result) in queue.map(deeds, limit: 3) {
      if !seen.insert(index).inserted { return ["two results of one input"] }
      if let value = try? result.get(), value != index { return ["\(value) for \(index)"] }
      if leaves { return [] }
    }
    return seen.count == deeds.count ? [] : ["\(seen.count) results of \(deeds.count) inputs"]
  }

  private func reduce() async throws -> [String] {
    let deeds = (0..<9).map { StormDeed(number: $0) }
    let last = try await queue.map(deeds, limit: 4).reduce(fanIn: 3) {
      StormDeed(number: $0.reduce(0, +))
    }
    return last == 36 ? [] : ["\(last ?? -1) in place of 36"]
  }

  private func addAndAwait(_ number: Int) async throws -> [String] {
    let operation = PoolTypedOperation(StormDeed(number: number))
    ledger.follow(operation)
    try await queue.add(operation)
    let value = try await operation.value
    return value == number ? [] : ["\(value) in place of \(number)"]
  }

  private func block(_ number: Int) async throws -> [String] {
    let isPlain = number.isMultiple(of: 2)
    let block = isPlain ? PoolBlockOperation {} : PoolBlockOperation { await Task.yield() }
    let member = PoolTypedOperation(StormDeed(number: number))
    let group = try PoolGroupOperation(operations: [block, member])
    for operation in [block, member, group] { ledger.follow(operation) }
    try await queue.run(group)
    return member.outcome == nil ? ["a group ended before its member"] : []
  }
}
