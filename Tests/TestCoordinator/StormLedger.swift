import OperationPool
import OperationWorker
import PoolSystem
import Synchronization

/// The kinds of a storm.
enum StormWorker {
  static let kinds: [WorkerKind] = [.asyncOperation(StormDeed.self)]

  /// Ends the worker's process without a word.
  static func end() -> Never { CurrentProcess.endNow(7) }
}

/// What has become of each operation of a storm.
final class StormLedger: Sendable {
  /// How often an operation was told to be over, and whether it is still in memory.
  private final class Entry: Sendable {
    let completions = Atomic(0)
    private let place: Mutex<Place>

    private struct Place { weak var operation: PoolOperation? }

    init(_ operation: PoolOperation) { place = Mutex(Place(operation: operation)) }

    var isInMemory: Bool { place.withLock { $0.operation != nil } }
  }

  private struct State {
    var operations: [PoolOperation] = []
    var entries: [Entry] = []
  }

  private let state = Mutex(State())

  /// Follows an operation from before it is added.
  func follow(_ operation: PoolOperation) {
    let entry = Entry(operation)
    operation.completionBlock = { entry.completions.add(1, ordering: .relaxed) }
    state.withLock { state in
      state.operations.append(operation)
      state.entries.append(entry)
    }
  }

  /// Whether an operation was never taken by its queue.
  func wasRefused(_ operation: PoolOperation) -> Bool {
    operation.outcome == nil && !operation.isExecuting && !operation.isCancelled
  }

  /// Waits until all is told, lets go of everything, and returns what is wrong; called when nothing
  /// else keeps an operation.
  func close() async -> [String] {
    var faults = await outcomes()
    let entries = state.withLock { state in
      defer { state = State() }
      return state.entries
    }
    if await !Scene.settle(60, { !entries.contains { $0.isInMemory } }) {
      faults.append("\(entries.count { $0.isInMemory }) operations are kept")
    }
    return faults
  }

  private func outcomes() async -> [String] {
    let (operations, entries) = state.withLock { ($0.operations, $0.entries) }
    let hasCome = await Scene.settle(60) {
      zip(operations, entries).allSatisfy { operation, entry in
        operation.outcome == nil || entry.completions.load(ordering: .relaxed) > 0
      }
    }
    var faults = hasCome ? [] : ["an end was not told"]
    for (operation, entry) in zip(operations, entries) {
      let told = entry.completions.load(ordering: .relaxed)
      if told != (operation.outcome == nil ? 0 : 1) {
        faults.append("\(operation): told \(told) times")
      }
      if operation.isExecuting { faults.append("\(operation) executes after its queue's end") }
    }
    return faults
  }
}
