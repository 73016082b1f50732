import PoolModel

// A worker that has begun a frame must go on with it.

/// A frame of which only the beginning has arrived.
package struct PartialFrame: Hashable, Sendable {
  /// Number of bytes of the worker's stream before it, which tells it from other frames.
  package var start: UInt64
  /// How many of its bytes have arrived.
  package var count: Int

  package init(start: UInt64, count: Int) {
    self.start = start
    self.count = count
  }
}

extension Supervisor {
  /// Kills a worker whose frame has stopped; returns whether it did.
  ///
  /// Also one that answers pings, because it cannot do so within a frame.
  mutating func checkFrame(_ worker: WorkerHandle, _ context: inout EventContext) -> Bool {
    guard let due = frameDue(worker), due <= context.now else { return false }
    workers[worker].hasStalled = true
    workers[worker].isViolator = true
    terminate(worker, signal: 9, because: .frame, &context)
    return true
  }

  /// By when more of the worker's frame must have arrived; nil where it is within none.
  func frameDue(_ worker: WorkerHandle) -> Instant? {
    workers[worker].frame?.since.advanced(by: policy.frameTimeout)
  }

  /// Notes how much of a frame the worker has left unfinished.
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
    guard workers[worker].state == .serving, workers[worker].teardown == nil else { return }
    alarms.arm(worker, at: now.advanced(by: policy.frameTimeout))
  }
}

extension WorkerLife {
  /// How much of a frame had arrived when its time was last counted anew.
  struct FrameProgress: Hashable {
    var frame: PartialFrame
    var since: Instant
  }
}
