import PoolInputs

/// The options for what executes, where and in which order.
enum ExecutionOption: CaseIterable {
  case width
  case stream
  case order
  case history
  case dryRun
  case shell
  case worker
  case workerStart
  case heartbeat
  case chaos
  case seed

  var row: OptionRow {
    switch self {
    case .width:
      OptionRow(
        "-j, --jobs N",
        """
        operations that execute at the same time, up to 10000 (the cores that opool may use, or \
        its cgroup's quota, if that is less): 0 is as many as the system allows; +N, -N and N% are \
        counted from the cores; a file with one of these is read again while the run lasts, a pipe \
        once
        """
      )
    case .stream:
      OptionRow(
        "--stream",
        in: .run,
        """
        execute lines as they come: each is checked alone, and waits for earlier lines only; \
        without it, the whole manifest is checked first
        """
      )
    case .order:
      OptionRow(
        "--order ORDER",
        """
        order within one priority: submission, or critical-path: first the operation with the \
        longest chain of work, its own duration and that of its dependents (submission)
        """
      )
    case .history:
      OptionRow(
        "--history FILE",
        """
        journal of an earlier run, whose durations --order critical-path uses; operations that \
        it does not have count with their field expected, or with the mean
        """
      )
    case .dryRun:
      OptionRow(
        "-n, --dry-run",
        letterIn: .run,
        """
        check and plan only: level, id and command of each operation, with --resume of each that \
        would be executed; with -q only the verdict
        """
      )
    case .shell:
      OptionRow(
        "--shell SHELL",
        """
        the shell that executes command lines: \(ShellName.list), or a path of one of them, such \
        as "$SHELL" (/bin/sh)
        """
      )
    case .worker:
      OptionRow(
        "--worker N:COMMAND",
        """
        start N workers with COMMAND, a shell line that begins with a program: write env X=1 … \
        to set a variable, and exec before the last of several commands; may be repeated. If none of them serves commands, as many \
        standard workers as -j says are added, which execute the commands; N counts beside -j
        """
      )
    case .workerStart:
      OptionRow(
        "--worker-start TIME",
        """
        time that a worker has to greet (60s; 10s for opool's own), after which it is killed: give a \
        worker longer that loads a model, or waits for a queue or a slow link
        """
      )
    case .heartbeat:
      OptionRow(
        "--heartbeat TIME",
        """
        a worker that executes and is silent for TIME gets a ping, and is killed after TIME more \
        of silence (10s, then 30s); a worker that stops within a frame is killed after TIME (10s)
        """
      )
    case .chaos:
      OptionRow(
        "--chaos RATES",
        """
        inject faults: the share of executions at which a worker is killed, stopped or garbled, \
        and of spawns that fail, such as kill=1%,stop=0.1%,garble=0.1%,spawnfail=2%
        """
      )
    case .seed:
      OptionRow("--seed N", "seed of the random faults (0), and of --shuf (a random one)")
    }
  }
}

extension SharedOptions {
  /// Stores the value of an option.
  mutating func set(_ option: ExecutionOption, to value: OptionValue) throws(UsageError) {
    switch option {
    case .width: width = try value.width()
    case .stream: streams = true
    case .order: order = try value.order()
    case .history: history = try value.path()
    case .dryRun: isDryRun = true
    case .shell: shell = try value.shell()
    case .worker: workers.append(try value.worker())
    case .workerStart: workerStart = try value.nanoseconds()
    case .heartbeat: heartbeat = try value.nanoseconds()
    case .chaos: chaos = try value.chaos()
    case .seed: seed = UInt64(try value.integer(in: 0...Int(Int32.max)))
    }
  }
}
