package import PoolModel

// Workers that may be on another machine: how long they certainly live without an answer, and what
// is not known of them after the process has ended by which they are reached.

/// A worker that cannot be reached any more, and may still execute what it was sent.
struct WorkerDoubt {
  /// When it has certainly ended; never once the loop was told so.
  var until: Instant
  /// The last dispatch that may have reached it.
  let lastSent: DispatchNumber
}

extension Instant {
  /// Becomes earlier, unless it is never.
  fileprivate mutating func pass(_ time: Int64) {
    if self != .distantFuture { self = advanced(by: -time) }
  }
}

extension Supervisor {
  /// The worker has asked for its lease to be renewed, and is answered.
  mutating func renew(_ worker: WorkerHandle, at now: Instant) {
    guard let end = workers[worker].leasedUntil else { return }
    setLease(of: worker, at: now)
    guard workers[worker].isStopped else { return }
    workers[worker].leasedUntil = workers[worker].leasedUntil.map { max($0, end) }
  }

  /// Whether a worker is stopped by a message, and not by a signal to what reaches it.
  func stopsItself(_ worker: WorkerHandle) -> Bool {
    workers[worker].leasedUntil != nil && workers[worker].capabilities.contains(.stop)
      && workers[worker].isServing
  }

  /// The worker is asked to stop what it executes, and lives without answers for longer meanwhile.
  mutating func stopFar(_ worker: WorkerHandle, _ context: inout EventContext) {
    workers[worker].isStopped = true
    workers[worker].leasedUntil = context.now.advanced(by: LeaseTerms.stopped.doubt)
    context.effects.append(.stopFar(workers[worker].id, isOn: true))
  }

  /// The worker is asked to go on.
  mutating func continueFar(_ worker: WorkerHandle, _ context: inout EventContext) {
    context.effects.append(.stopFar(workers[worker].id, isOn: false))
  }

  /// The worker has said that it goes on: its lease is the usual one, from before that on.
  mutating func noteContinued(_ worker: WorkerHandle, at now: Instant) {
    // It may be about to be stopped again.
    guard workers[worker].isStopped, processStop == nil else { return }
    workers[worker].isStopped = false
    setLease(of: worker, at: now)
  }

  /// This process was stopped for so many nanoseconds, which its clock does not count, and the
  /// workers' do.
  package mutating func pass(stopped time: Int64) {
    for worker in workers.living where workers[worker].isStopped {
      workers[worker].leasedUntil = workers[worker].leasedUntil?.advanced(by: -time)
      workers[worker].doubt?.until.pass(time)
      arm(worker)
    }
  }

  /// A worker has greeted: begins its lease, if it has one.
  mutating func setLease(of worker: WorkerHandle, at now: Instant) {
    guard workers[worker].capabilities.contains(.lease),
      let terms = configurations[workers[worker].configuration].spec.lease
    else { return }
    workers[worker].leasedUntil = now.advanced(by: terms.doubt)
    arm(worker)
  }

  /// The worker has proved that it is on this machine, where its end is certain.
  mutating func endLease(of worker: WorkerHandle) { workers[worker].leasedUntil = nil }

  /// Kills what reaches a worker that has certainly ended, because nothing was heard of it for so
  /// long; returns whether that is so.
  mutating func checkLease(_ worker: WorkerHandle, _ context: inout EventContext) -> Bool {
    guard let end = workers[worker].leasedUntil, end <= context.now else { return false }
    terminate(worker, signal: 9, because: .silence, &context)
    return true
  }

  /// A limit of the worker, or the end of its lease, if that is later: until then it may only be
  /// out of reach.
  func patient(_ limit: Instant, for worker: WorkerHandle) -> Instant {
    workers[worker].leasedUntil.map { max($0, limit) } ?? limit
  }

  /// When a worker whose process here has ended has certainly ended, too; nil if that is now.
  func doubtEnd(of worker: WorkerHandle, at now: Instant) -> Instant? {
    workers[worker].leasedUntil.flatMap { $0 > now ? $0 : nil }
  }

  /// Keeps a worker that cannot be reached any more until its lease is over.
  mutating func keep(_ worker: WorkerHandle, in doubt: WorkerDoubt, at now: Instant) {
    expectEnd(worker, at: now)
    workers[worker].doubt = doubt
    arm(worker)
  }

  /// What is not known of a worker that cannot be reached; nil if it can.
  func doubt(of worker: WorkerHandle) -> WorkerDoubt? { workers[worker].doubt }

  /// Nanoseconds for which a worker that cannot be reached may still execute; nil for any other.
  package func timeInDoubt(of id: WorkerID, at now: Instant) -> Int64? {
    guard let doubt = worker(id).flatMap({ workers[$0].doubt }) else { return nil }
    return max(doubt.until.nanoseconds - now.nanoseconds, 0)
  }

  /// A worker that cannot be reached has certainly ended, or is not waited for: the loop says how
  /// its process here has ended, and then it is forgotten.
  mutating func endDoubt(of worker: WorkerHandle, _ context: inout EventContext) {
    guard let doubt = workers[worker].doubt, doubt.until != .distantFuture else { return }
    workers[worker].doubt?.until = .distantFuture
    context.effects.append(.lapse(workers[worker].id))
  }
}
