import OperationPool
import PoolSystem
import PoolTestSupport

/// What observers write down, in order, and a test waits for.
final class Chronicle<Line: Sendable>: Sendable {
  private let lines = Monitor<[Line]>([])

  var all: [Line] { lines.withLock { $0 } }

  func write(_ line: Line) {
    lines.withLock { $0.append(line) }
    lines.broadcast()
  }

  /// What is written once a condition holds, or half a minute has passed.
  func when(_ isEnough: @escaping @Sendable ([Line]) -> Bool) async throws -> [Line] {
    try await Blocking.run { [lines] in
      let deadline = MonotonicClock.now + .seconds(1_200)
      _ = lines.wait(until: deadline, while: { !isEnough($0) })
      return lines.withLock { $0 }
    }
  }

  /// What is written once there are so many lines, or half a minute has passed.
  func when(count: Int) async throws -> [Line] {
    try await when { $0.count >= count }
  }
}

extension Chronicle<String> {
  /// What is written once an operation's completion block was called, which comes last of all.
  func whenCompleted() async throws -> [String] {
    try await when { $0.last == "completion" }
  }

  /// Writes down every change of what is true or false of an operation: `+` for what has become
  /// true; a line of words where the old value does not fit the new one.
  func follow(_ operation: PoolOperation) -> [PoolKeyValueObservation] {
    operation.completionBlock = { [self] in write("completion") }
    return [
      follow(operation, \.isCancelled, "cancelled"),
      follow(operation, \.isAsynchronous, "asynchronous"),
      follow(operation, \.isExecuting, "executing"),
      follow(operation, \.isFinished, "finished"),
      follow(operation, \.isReady, "ready"),
    ]
  }

  private func follow(
    _ operation: PoolOperation,
    _ key: KeyPath<PoolOperationKeys, PoolObservedKey<Bool>>,
    _ word: String
  ) -> PoolKeyValueObservation {
    operation.observe(key, options: [.old, .new]) { [self] _, change in
      guard let new = change.newValue, change.oldValue == !new, !change.isPrior else {
        return write("\(word) went from \(change.oldValue as Any) to \(change.newValue as Any)")
      }
      write((new ? "+" : "-") + word)
    }
  }
}
