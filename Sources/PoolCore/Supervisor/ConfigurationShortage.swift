import PoolModel

/// What a worker configuration knows of a lack of processes, memory or descriptors: how long it
/// waits before it asks the system for one more worker.
///
/// While there is a shortage, workers that have what they need go on, and one worker at a time is
/// tried beside them: less often the more were tried in vain, and sooner again with each that has
/// finished something.
struct ConfigurationShortage: Hashable, Sendable {
  /// How many were tried in vain.
  private(set) var count = 0
  /// When the next worker may be started.
  private(set) var roomAt = Instant.zero
  /// The worker that was started last when the latest shortage was counted: what the earlier ones
  /// lack is the same one.
  private var mark: UInt32 = 0
  /// The worker that was started last.
  private var latest: UInt32 = 0
  /// Whether the caller was told.
  private var isTold = false

  /// A worker has met a shortage; returns whether that is news to the caller.
  mutating func note(_ worker: WorkerID, _ backOff: BackOff, at now: Instant) -> Bool {
    if count == 0 || worker.rawValue > mark {
      count += 1
      mark = latest
    }
    delay(worker, backOff, at: now)
    defer { isTold = true }
    return !isTold
  }

  /// A worker is started; while there is a shortage, no other one soon.
  mutating func noteSpawn(_ worker: WorkerID, _ backOff: BackOff, at now: Instant) {
    latest = worker.rawValue
    if count > 0 { delay(worker, backOff, at: now) }
  }

  /// A worker has finished something, its first: where it was tried during the shortage, that gets
  /// less.
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
