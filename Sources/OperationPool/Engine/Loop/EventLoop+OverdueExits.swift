import PoolCore
import PoolModel

// Foundation reports a worker's end on a thread that it creates for that. If the system refuses the
// thread, the report never comes: so the loop asks the system itself.

extension EventLoop {
  /// How long the loop waits for the report of the end of a worker that was killed, or hung up: 1
  /// s.
  private static let patience = Int64.seconds(1)

  /// How long the end of a worker waits for the processes that it has left: 10 s.
  private static let orphansPatience = Int64.seconds(10)

  /// A worker was killed or has hung up: if no report of its end comes in time, the loop asks the
  /// system.
  mutating func expectExit(of worker: WorkerID) {
    guard let connection = connections[worker], !connection.hasTakenOrphans else { return }
    missing[worker] = engine.now.nanoseconds + Self.patience
  }

  /// A worker has ended, and the processes that it has left are being ended: if that takes too
  /// long, its end is reported before theirs.
  mutating func awaitOrphans(of worker: WorkerID) {
    missing[worker] = engine.now.nanoseconds + Self.orphansPatience
  }

  /// The machine's timeout, or a shorter one if a worker's end is overdue or text is undecided.
  func limited(_ timeout: Int64?) -> Int64? {
    if missing.isEmpty, undecided.isEmpty { return timeout }
    let text = undecided.compactMap { $0.printing?.due }.min()
    guard let due = [missing.values.min(), text].compactMap({ $0 }).min() else { return timeout }
    let rest = max(due - engine.now.nanoseconds, 0)
    return timeout.map { min($0, rest) } ?? rest
  }

  /// Asks the system about workers whose end is overdue.
  mutating func lookForMissing() {
    guard !missing.isEmpty else { return }
    let now = engine.now.nanoseconds
    let due = missing.filter { $0.value <= now }.keys.sorted { $0.rawValue < $1.rawValue }
    for worker in due {
      missing[worker] = now + Self.patience
      guard let connection = connections[worker] else { continue }
      if let status = connection.handle.status {
        reap(connection, status)
      } else {
        connection.signals.insist()
      }
    }
  }
}
