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
    case .delay: OptionRow("--delay TIME", "time from one start to the next at least (0)")
    case .load:
      OptionRow(
        "--load N",
        """
        start nothing while the load average of this machine, with what the latest starts add to \
        it, is N or more; N% is of the cores, +N above their number
        """
      )
    case .memory:
      OptionRow(
        "--memfree SIZE",
        """
        start nothing while less memory is available: bytes, or with K, M, G of 1024, k, m, g of \
        1000; what executes is left alone
        """
      )
    case .shuffle:
      OptionRow(
        "--shuf",
        """
        start operations of one priority in random order, the same for the same --seed; of inputs \
        from a pipe, up to 10000 at a time
        """
      )
    case .nice: OptionRow("--nice N", "lower the priority of commands by N, 0 to 19 (0)")
    case .folder: OptionRow("--wd DIR", "folder that commands execute in, with field cwd below it")
    case .temporaryFolder:
      OptionRow("--tmpdir DIR", "folder for temporary files, also of commands (TMPDIR)")
    case .passedDescriptor:
      OptionRow(
        "--pass-fd N",
        "leave descriptor N open for commands, under its number; may be repeated"
      )
    case .jobserver:
      OptionRow(
        "--jobserver",
        """
        be a jobserver for commands: make in them shares the width of the run; without it, opool \
        takes part in that of a make that started it by a recipe with +
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
