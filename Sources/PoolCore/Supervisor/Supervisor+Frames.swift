import PoolModel

// A worker that has begun a frame must continue it in time.

/// A frame that has arrived only in part.
package struct PartialFrame: Hashable, Sendable {
  /// Number of bytes of the worker's stream before it, which distinguishes it from other frames.
  package var start: UInt64
  /// Number of its bytes that have arrived.
  package var count: Int

  package init(start: UInt64, count: Int) {
    self.start = start
    self.count = count
  }
}

extension Supervisor {
  /// Kills a worker that has stopped within a frame; returns whether it did.
  ///
  /// This limit is needed beside the heartbeat, which such a worker cannot answer within a frame.
  mutating func checkFrame(_ worker: WorkerHandle, _ context: inout EventContext) -> Bool {
    guard let due = frameDue(worker), due <= context.now else { return false }
    terminate(worker, signal: 9, because: .frame, &context)
    workers[worker].note([.stall, .violation])
    return true
  }

  /// Deadline for more bytes of the worker's frame; nil if no frame is unfinished.
  func frameDue(_ worker: WorkerHandle) -> Instant? {
    workers[worker].frame.map { patient($0.since.advanced(by: policy.frameTimeout), for: worker) }
  }

  /// Notes the worker's unfinished frame, if any.
  mutating func note(_ frame: PartialFrame?, of worker: WorkerHandle, at now: Instant) {
    guard let frame else {
      workers[worker].frame = nil
      return
    }
    if let known = workers[worker].frame, known.frame.start == frame.start,
      frame.count - known.frame.count < policy.frameProgress
    {
      return
    }
    workers[worker].frame = WorkerLife.FrameProgress(frame: frame, since: now)
    guard workers[worker].isServing, workers[worker].teardown == nil else { return }
    timers.arm(worker, at: now.advanced(by: policy.frameTimeout))
  }
}

extension WorkerLife {
  /// How much of a frame had arrived when its limit was last restarted.
  struct FrameProgress: Hashable {
    var frame: PartialFrame
    var since: Instant
  }
}
