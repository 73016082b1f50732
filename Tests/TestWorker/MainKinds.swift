import Foundation
import OperationWorker

// Operations that need the main thread, and one that ends its own.

/// Counts on the main actor.
@MainActor final class MainCounter {
  static let shared = MainCounter()
  private var count = 0

  func next() -> Int {
    count += 1
    return count
  }
}

/// Awaits the main actor.
struct AwaitMainActor: AsyncWorkerOperation {
  static let kind = "awaitMainActor"

  func main(_ context: WorkerContext) async -> Bool { await MainCounter.shared.next() > 0 }
}

/// Is isolated to the main actor; returns whether it executes on the main thread.
struct OnMainActor: AsyncWorkerOperation {
  static let kind = "onMainActor"

  @MainActor func main(_ context: WorkerContext) async -> Bool {
    let isMain = isOnMainThread()
    await Task.yield()
    return isMain && isOnMainThread()
  }
}

/// Waits for a block on the main queue.
struct UseMainQueue: WorkerOperation {
  static let kind = "useMainQueue"

  func main(_ context: WorkerContext) -> Bool {
    let main = DispatchQueue.main.sync { isOnMainThread() }
    return main && !isOnMainThread()
  }
}

/// Ends its thread, or the main thread.
struct EndThread: WorkerOperation {
  static let kind = "endThread"
  var isMain: Bool

  func main(_ context: WorkerContext) -> Bool {
    if isMain { DispatchQueue.main.sync { Thread.exit() } }
    Thread.exit()
    return false
  }
}

private func isOnMainThread() -> Bool { Thread.isMainThread }
