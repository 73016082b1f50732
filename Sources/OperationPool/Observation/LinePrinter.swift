import Dispatch
import Synchronization

/// What takes the lines of workers, in order; called on the loop's thread, and returns at once.
protocol LinePrinter: Sendable {
  func print(_ lines: [PoolWorkerLine])

  /// Whether so much waits that workers must.
  ///
  /// When that is over, it calls ``PoolEngine/readAgain()``.
  var isFull: Bool { get }
}

/// How much waits in a printer, and whether that is too much: it is from 256 KiB on, until only half of
/// that waits.
///
/// Workers that are to end are read all the same: what they print is dropped where 4 MiB wait.
struct PrinterLoad {
  private static let limit = 256 << 10
  private static let mostBytes = 4 << 20

  private var byteCount = 0
  private(set) var isFull = false

  /// Returns whether there is a place for so many bytes.
  mutating func add(_ count: Int) -> Bool {
    guard byteCount == 0 || byteCount + count <= Self.mostBytes else { return false }
    byteCount += count
    if byteCount >= Self.limit { isFull = true }
    return true
  }

  /// Returns whether there is room again.
  mutating func remove(_ count: Int) -> Bool {
    byteCount -= count
    guard isFull, byteCount <= Self.limit / 2 else { return false }
    isFull = false
    return true
  }
}

/// Gives lines to a closure of the user's, one at a time.
final class ClosurePrinter: LinePrinter {
  private let body: @Sendable (PoolWorkerLine) -> Void
  private let queue = DispatchQueue(label: "opool.printing")
  private let load = Mutex(PrinterLoad())

  init(_ body: @escaping @Sendable (PoolWorkerLine) -> Void) {
    self.body = body
  }

  var isFull: Bool { load.withLock { $0.isFull } }

  func print(_ lines: [PoolWorkerLine]) {
    // A line takes memory beside its text.
    let count = lines.reduce(0) { $0 + $1.text.utf8.count + 64 }
    guard load.withLock({ $0.add(count) }) else { return }
    queue.async {
      for line in lines { self.body(line) }
      let hasRoom = self.load.withLock { $0.remove(count) }
      if hasRoom { OperationRegistry.process.engine.readAgain() }
    }
  }
}
