import PoolModel
import PoolWire

extension WorkerMachine {
  /// What the main thread and the I/O thread do, and which of them reads.
  ///
  /// One of them reads at a time. The guide <doc:TheWorkersLoop> has the table of transitions.
  enum State {
    /// The main thread reads, or is about to, because it executes nothing.
    case reading(Watch)
    /// The main thread waits for operations, which the I/O thread reads.
    case waiting
    /// The main thread executes an operation.
    case executing(Execution, Reader)
    /// Nothing more is executed, except for an operation that has not returned yet.
    case over(Ending, Execution?)
  }

  /// What the I/O thread does while the main thread has nothing to execute.
  enum Watch: Equatable {
    /// It sleeps until an operation starts executing.
    case resting
    /// It has looked that many times in a row at a main thread without an operation.
    case looking(Int)
  }

  /// Which thread reads while an operation executes.
  enum Reader: Equatable {
    /// None, and whether the main thread has read since the I/O thread looked.
    case none(hasRead: Bool)
    /// The main thread, which receives the input that is there before it calls the operation's
    /// code.
    case main
    /// The I/O thread, and whether the main thread has begun another operation since.
    case io(isMainBack: Bool)
  }

  /// Why the worker ends: it was drained, unless it failed or its input has ended.
  struct Ending: Equatable {
    /// The error that the loop throws.
    var failure: PoolWorkerError?
    /// Whether the input has ended, so that answers are no longer read.
    var isInputEnded = false
  }

  /// The operation that executes.
  struct Execution {
    let reference: DispatchReference
    /// Whether it starts a process of its own.
    let startsProcess: Bool
    /// Whether its process is being started: the end of the input waits, so that the process is not
    /// left behind.
    var isSpawning = false
    /// Out of line, because every new operation overwrites it, and few have any.
    private var details: Details?

    private indirect enum Details {
      case details(CancelHandle?, CancelRequest?)
    }

    init(reference: DispatchReference, startsProcess: Bool) {
      self.reference = reference
      self.startsProcess = startsProcess
    }

    /// How to stop it; nil if its own code must ask whether it is cancelled.
    var handle: CancelHandle? {
      get { if case .details(let handle, _) = details { handle } else { nil } }
      set { details = .details(newValue, stop) }
    }

    /// The request to stop it.
    var stop: CancelRequest? {
      get { if case .details(_, let stop) = details { stop } else { nil } }
      set { details = .details(handle, newValue) }
    }
  }

  /// A request to stop an operation: the sequence of the last one, and the time of the first.
  struct CancelRequest {
    var sequence: PoolTeardownSequence
    /// Nanoseconds of the monotonic clock.
    let since: Int64
  }
}

/// How to stop an executing operation.
struct CancelHandle: Sendable {
  /// Begins to stop it with the teardown sequence; returns at once.
  var ask: @Sendable (PoolTeardownSequence) -> Void
  /// Kills the process that executes it, if there is one; returns soon.
  var kill: @Sendable () -> Void
}
