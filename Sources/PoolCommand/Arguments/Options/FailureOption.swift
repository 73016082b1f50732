import OperationPool
import PoolInputs
import PoolSystem

/// The options for failures, timeouts and early ends.
enum FailureOption: CaseIterable {
  case retries
  case retryOn
  case retryDelay
  case idempotent
  case timeout
  case deadline
  case margin
  case drainOn
  case halt
  case teardown

  var row: OptionRow {
    switch self {
    case .retries:
      OptionRow(
        "--retries N",
        """
        extra attempts of operations without the field retries (0). Only the output of the last \
        attempt is printed; with --line-buffer, the output of all attempts
        """
      )
    case .retryOn:
      OptionRow(
        "--retry-on CAUSES",
        """
        retry only after these causes, separated by commas: exit, exit=N (this exit code), \
        signal, error, spawn, timeout, workerDied (also what may have begun behind a link that \
        ended), violation (all causes). For operations without the field retryOn
        """
      )
    case .retryDelay:
      OptionRow(
        "--retry-delay TIME",
        """
        wait at least TIME before the first extra attempt, and twice as long before each further \
        one, up to an hour (100ms, up to 30s). Each wait is made longer by up to a half, at \
        random; 0 means no wait. For operations without the field retryDelay
        """
      )
    case .idempotent:
      OptionRow(
        "--idempotent",
        """
        execute an operation again, at no cost of a retry, where the link to its worker has ended \
        and it may have begun there. For all operations; others have the field idempotent
        """
      )
    case .timeout:
      OptionRow(
        "--timeout TIME",
        """
        time limit of each attempt, for operations without the field timeout (none). A \
        percentage such as 200% is relative to the median of successful executions: it applies \
        once there are three, and is at least a second
        """
      )
    case .deadline:
      OptionRow(
        "--deadline TIME",
        """
        time limit of the whole run, including the wait for its manifest, inputs and other \
        files. When it has passed, opool tears down all operations, and its exit code is 124 \
        (none)
        """
      )
    case .margin:
      OptionRow(
        "--margin TIME",
        """
        in a job of Slurm: TIME before the job ends, begin nothing more; 30 seconds before it, or \
        TIME if that is less, tear down what still executes. The exit code is 75: with --journal and --resume, the job \
        that is queued again executes the rest
        """
      )
    case .drainOn:
      OptionRow(
        "--drain-on SIGNAL",
        """
        at this signal (HUP, USR1, USR2 or TERM) begin nothing more, and let finish what \
        executes; the exit code is 75. The same signal again tears it down. For sbatch \
        --signal=B:USR1@300, say
        """
      )
    case .halt:
      OptionRow(
        "--halt WHEN",
        """
        end the run early, as GNU parallel does: now or soon, then fail, success or done with a \
        number or a percentage of all operations, such as now,fail=1 or soon,done=10% (never). \
        now tears down executing operations, soon lets them finish. The exit code is 0 if \
        successes ended the run, else 1
        """
      )
    case .teardown:
      OptionRow(
        "--term-seq STEPS",
        """
        how to end an operation, for operations without the field termSeq: steps with times \
        between them, in milliseconds without a unit. A step is MESSAGE (ask the worker, if it \
        can be asked) or a signal; the last step is KILL (MESSAGE,2000,TERM,1000,KILL)
        """
      )
    }
  }
}

extension SharedOptions {
  /// Stores the value of an option.
  mutating func set(_ option: FailureOption, to value: OptionValue) throws(UsageError) {
    switch option {
    case .retries: retries = try value.integer(in: 0...Int(Int32.max))
    case .retryOn: retryCondition = try value.retryCondition()
    case .retryDelay: retryDelay = try value.nanoseconds(allowingZero: true)
    case .idempotent: isIdempotent = true
    case .timeout: (timeout, relativeTimeout) = try value.timeout()
    case .deadline: deadline = try value.nanoseconds()
    case .margin: margin = try value.margin()
    case .drainOn: drainSignal = try value.drainSignal()
    case .halt: halt = try value.halt()
    case .teardown: teardown = try value.teardown()
    }
  }
}

extension OptionValue {
  /// A time before the end of the job of Slurm that this process is part of.
  fileprivate func margin() throws(UsageError) -> Int64 {
    let time = try nanoseconds()
    guard ProcessEnvironment.current.value(of: SlurmAllocation.jobVariable) != nil else {
      throw UsageError("--margin: this is no job of Slurm; begin with salloc or sbatch")
    }
    return time
  }

  /// A signal after which a run begins nothing more.
  fileprivate func drainSignal() throws(UsageError) -> ProcessSignal {
    let signals: [ProcessSignal] = [.hangUp, .user1, .user2, .terminate]
    let signal = ProcessSignal(named: String(decoding: bytes, as: UTF8.self))
    guard let signal, signals.contains(signal) else {
      throw failure("--drain-on needs HUP, USR1, USR2 or TERM")
    }
    return signal
  }
}
