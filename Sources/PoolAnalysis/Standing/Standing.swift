package import PoolModel
import PoolText

/// Where an operation stands: what it waits for, or what it came to.
package enum Standing: Hashable, Sendable {
  /// An operation that another one waits for.
  package struct Other: Hashable, Sendable {
    /// UTF-8.
    package var id: [UInt8]
    /// Nanoseconds for which it has been executing; nil if it does not.
    package var executing: Int64?

    package init(_ id: [UInt8], executing: Int64?) {
      (self.id, self.executing) = (id, executing)
    }
  }

  /// It has ended, for this reason; nil where the run does not know any more how.
  case ended(PoolEnding?, because: String? = nil)
  /// It executes on a worker, for so many nanoseconds.
  case executing(WorkerID, Int64)
  /// It has been executing on a worker for so many nanoseconds, and is being ended.
  case ending(WorkerID, Int64, Ending)
  /// It is tried again in so many nanoseconds.
  case delayed(Int64)
  /// It waits for these, and for so many others.
  case dependencies([Other], more: Int)
  /// It waits for a barrier before it, or, as one, for everything before it: such as this.
  case barrier(isOwn: Bool, Other)
  /// It waits for units of a resource that these hold.
  case limit(ResourceName, units: Int, [Other])
  /// The run, or the queue, dispatches nothing, for this reason.
  case paused(Place, String)
  /// A slot is free, and a limit on starts holds everything back, for this reason.
  case heldBack(String)
  /// It waits for so many slots, or for its turn, while so many operations execute.
  case slot(count: Int, busy: Int, Turn? = nil)
  /// It waits for something that only a program's own operations wait for.
  case held(Hold)

  /// How an execution is being ended.
  package struct Ending: Hashable, Sendable {
    /// Nanoseconds since that began.
    package var time: Int64
    /// What it will have come to: it is cancelled, or has timed out.
    package var ending: PoolEnding
    /// The latest step, such as `SIGTERM`; nil if it is not known.
    package var step: String?

    package init(for time: Int64, as ending: PoolEnding, by step: String?) {
      (self.time, self.ending, self.step) = (time, ending, step)
    }

    /// For how long, and by what: `for 0:03 by SIGTERM`.
    package var words: String {
      let step = step.map { $0 == "message" ? " by a message" : " by \($0)" }
      return "for \(DurationFormat.clock(time))" + (step ?? "")
    }
  }

  /// The place of a ready operation in the queue.
  package struct Turn: Hashable, Sendable {
    /// Number of ready operations that are dispatched before it.
    package var ahead: Int
    /// Nanoseconds until it is expected to start; nil if the durations of others are not known.
    package var start: Int64?

    package init(behind ahead: Int, start: Int64? = nil) {
      (self.ahead, self.start) = (ahead, start)
    }
  }

  /// What dispatches operations.
  package enum Place: String, Sendable {
    case run = "the run"
    case queue = "its queue"
  }

  /// What operations of a program may wait for, beside what those of a run may.
  package enum Hold: Hashable, Sendable {
    /// It is in no queue.
    case outside
    /// It is a group, and waits for these members, and for so many others.
    case members([Other], more: Int)
    /// A worker has it, and has not begun it.
    case handedOver(WorkerID)
    /// It waits for so many gates.
    case gates(Int)
    /// It waits until its group begins.
    case group(Other)
    /// Its conditions are evaluated, or its input is made.
    case preparation
    /// It waits for the start of a worker that serves its kind.
    case worker(kind: String)
  }
}
