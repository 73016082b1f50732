import Dispatch
import Synchronization

/// Passes lines to a user's closure, one at a time.
final class ClosurePrinter: LinePrinter {
  private let body: @Sendable (PoolWorkerLine) -> Void
  private let queue = DispatchQueue(label: "opool.printing")
  private let load = Mutex(PrinterRoom())

  init(_ body: @escaping @Sendable (PoolWorkerLine) -> Void) {
    self.body = body
  }

  func isFull(else whenRoom: @escaping @Sendable () -> Void) -> Bool {
    load.withLock { $0.isFull(else: whenRoom) }
  }

  func print(_ lines: [PoolWorkerLine]) {
    // A line takes memory in addition to its text.
    let count = lines.reduce(0) { $0 + $1.text.utf8.count + 64 }
    guard load.withLock({ $0.add(count) }) else { return }
    queue.async {
      for line in lines { self.body(line) }
      self.load.withLock { $0.remove(count) }?()
    }
  }
}
