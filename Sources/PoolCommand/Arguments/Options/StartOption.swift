import PoolInputs

/// The options for when operations start, and where and how commands execute.
enum StartOption: CaseIterable {
  case delay
  case load
  case memory
  case shuffle
  case nice
  case folder
  case temporaryFolder
  case passedDescriptor
  case jobserver

  var row: OptionRow {
    switch self {
    case .delay:
      OptionRow(
        "--delay TIME",
        """
        wait at least TIME between two starts (0)
        """
      )
    case .load:
      OptionRow(
        "--load N",
        """
        start no operation while the load average of this machine is N or more; N% is relative \
        to the cores, +N above their number. The load average lags behind, so opool adds the \
        load that its latest starts will cause
        """
      )
    case .memory:
      OptionRow(
        "--memfree SIZE",
        """
        start no operation while less than SIZE of memory is available: bytes, or with K, M, G \
        powers of 1024, with k, m, g powers of 1000. Executing operations are left alone
        """
      )
    case .shuffle:
      OptionRow(
        "--shuf",
        """
        start operations of the same priority in random order; the same --seed gives the same \
        order. Inputs from a pipe are shuffled up to 10000 at a time
        """
      )
    case .nice: OptionRow("--nice N", "lower the priority of commands by N, 0 to 19 (0)")
    case .folder:
      OptionRow(
        "--wd DIR",
        """
        folder in which commands execute; the field cwd is relative to it
        """
      )
    case .temporaryFolder:
      OptionRow(
        "--tmpdir DIR",
        """
        folder for temporary files of opool and of commands (TMPDIR)
        """
      )
    case .passedDescriptor:
      OptionRow(
        "--pass-fd N",
        """
        leave descriptor N open for commands, under the same number; may be repeated
        """
      )
    case .jobserver:
      OptionRow(
        "--jobserver",
        """
        offer a jobserver to commands: a make in a command then takes its jobs from the width of \
        the run. Without it, opool takes its width from the jobserver of a make that started it \
        by a recipe with +
        """
      )
    }
  }
}

extension SharedOptions {
  /// Stores the value of an option.
  mutating func set(_ option: StartOption, to value: OptionValue) throws(UsageError) {
    switch option {
    case .delay: starts.delay = try value.nanoseconds(allowingZero: true)
    case .load: starts.load = try value.load()
    case .memory: starts.memory = try value.byteCount()
    case .shuffle: starts.shuffles = true
    case .nice: starts.nice = try value.integer(in: 0...19)
    case .folder: starts.folder = try value.folder()
    case .temporaryFolder: starts.temporaryFolder = try value.folder()
    case .passedDescriptor: starts.passed.append(try value.descriptor())
    case .jobserver: starts.servesJobs = true
    }
  }
}
