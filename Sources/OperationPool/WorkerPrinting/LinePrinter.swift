import Dispatch
import Synchronization

/// A receiver of workers' lines, in order; called on the loop's thread, and must return at once.
protocol LinePrinter: Sendable {
  func print(_ lines: [PoolWorkerLine])

  /// Whether so much is waiting that workers must wait.
  ///
  /// When that ends, it calls ``PoolEngine/readAgain()``.
  var isFull: Bool { get }
}

/// The number of bytes that wait in a printer, and whether it is too full: from 256 KiB on, until
/// it is back to half.
///
/// Workers that are about to end are read anyway: their text is dropped if 4 MiB are waiting.
struct PrinterLoad {
  private static let limit = 256 << 10
  private static let mostBytes = 4 << 20

  private var byteCount = 0
  private(set) var isFull = false

  /// Adds bytes; returns whether there is room for them.
  mutating func add(_ count: Int) -> Bool {
    guard byteCount == 0 || byteCount + count <= Self.mostBytes else { return false }
    byteCount += count
    if byteCount >= Self.limit { isFull = true }
    return true
  }

  /// Removes bytes; returns whether there is room again.
  mutating func remove(_ count: Int) -> Bool {
    byteCount -= count
    guard isFull, byteCount <= Self.limit / 2 else { return false }
    isFull = false
    return true
  }
}

/// Passes lines to a user's closure, one at a time.
final class ClosurePrinter: LinePrinter {
  private let body: @Sendable (PoolWorkerLine) -> Void
  private let queue = DispatchQueue(label: "opool.printing")
  private let load = Mutex(PrinterLoad())

  init(_ body: @escaping @Sendable (PoolWorkerLine) -> Void) {
    self.body = body
  }

  var isFull: Bool { load.withLock { $0.isFull } }

  func print(_ lines: [PoolWorkerLine]) {
    // A line takes memory in addition to its text.
    let count = lines.reduce(0) { $0 + $1.text.utf8.count + 64 }
    guard load.withLock({ $0.add(count) }) else { return }
    queue.async {
      for line in lines { self.body(line) }
      let hasRoom = self.load.withLock { $0.remove(count) }
      if hasRoom { OperationRegistry.process.engine.readAgain() }
    }
  }
}
