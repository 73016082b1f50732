import PoolInputs

/// The options for failures, timeouts and early ends.
enum FailureOption: CaseIterable {
  case retries
  case retryOn
  case retryDelay
  case timeout
  case deadline
  case halt
  case teardown

  var row: OptionRow {
    switch self {
    case .retries:
      OptionRow(
        "--retries N",
        """
        extra attempts of operations without the field retries (0); only the output of the last \
        attempt is printed, of all with --line-buffer
        """
      )
    case .retryOn:
      OptionRow(
        "--retry-on CAUSES",
        """
        only after these causes, separated by commas: exit, exit=N (this exit code), signal, error, \
        spawn, timeout, workerDied, violation (all), of operations without the field retryOn
        """
      )
    case .retryDelay:
      OptionRow(
        "--retry-delay TIME",
        """
        delay before the first extra attempt at least, doubled for each further one, up to an \
        hour (100ms, up to 30s), of operations without the field retryDelay; each is made longer \
        by up to a half; 0 tries again at once
        """
      )
    case .timeout:
      OptionRow(
        "--timeout TIME",
        """
        time for each attempt of operations without the field timeout (none); or a percentage \
        such as 200% of the median of successful executions, once there are three, but not less \
        than 200 ms
        """
      )
    case .deadline:
      OptionRow(
        "--deadline TIME",
        """
        time for the whole run, including the wait for its manifest, inputs and other files; then \
        all operations are torn down, and the exit code is 124 (none)
        """
      )
    case .halt:
      OptionRow(
        "--halt WHEN",
        """
        end the run early, as GNU parallel does: now or soon, fail, success or done, and a number \
        or a percentage of all, such as now,fail=1 or soon,done=10%; now tears down what executes, \
        soon finishes it; the exit code is 0 after success, else 1 (never)
        """
      )
    case .teardown:
      OptionRow(
        "--term-seq STEPS",
        """
        teardown sequence of operations without the field termSeq: MESSAGE (ask the worker, if it \
        can be asked), signals, KILL last, with times between the steps, milliseconds without a unit \
        (MESSAGE,2000,TERM,1000,KILL)
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
    case .timeout: (timeout, relativeTimeout) = try value.timeout()
    case .deadline: deadline = try value.nanoseconds()
    case .halt: halt = try value.halt()
    case .teardown: teardown = try value.teardown()
    }
  }
}
