import PoolModel

/// A worker configuration's shortage of processes, memory or descriptors, and the delay before it
/// asks the system for one more worker.
///
/// During a shortage, workers that have what they need go on, and one more worker at a time is
/// tried: less often the more attempts have failed, and more often again with each tried worker
/// that finishes an operation.
struct ConfigurationShortage: Hashable, Sendable {
  /// Number of workers tried without success.
  private(set) var count = 0
  /// When the next worker may be started.
  private(set) var roomAt = Instant.zero
  /// The latest worker when the shortage was last counted.
  ///
  /// A shortage of this worker or an earlier one is the same shortage.
  private var mark: UInt32 = 0
  /// The worker that was started last.
  private var latest: UInt32 = 0
  /// Whether the caller was told.
  private var isReported = false

  /// Counts a worker that has met a shortage; returns whether to tell the caller.
  mutating func note(_ worker: WorkerID, _ backOff: BackOff, at now: Instant) -> Bool {
    if count == 0 || worker.rawValue > mark {
      count += 1
      mark = latest
    }
    delay(worker, backOff, at: now)
    defer { isReported = true }
    return !isReported
  }

  /// Notes that a worker is started; during a shortage, the next one has to wait.
  mutating func noteSpawn(_ worker: WorkerID, _ backOff: BackOff, at now: Instant) {
    latest = worker.rawValue
    if count > 0 { delay(worker, backOff, at: now) }
  }

  /// A worker has finished its first operation: if it was started during the shortage, the shortage
  /// eases.
  mutating func ease(by worker: WorkerID) {
    guard count > 0, worker.rawValue > mark else { return }
    count /= 2
    if count == 0 { roomAt = .zero }
  }

  private mutating func delay(_ worker: WorkerID, _ backOff: BackOff, at now: Instant) {
    let length = backOff.length(after: count, of: UInt64(worker.rawValue))
    roomAt = max(roomAt, now.advanced(by: length))
  }
}
