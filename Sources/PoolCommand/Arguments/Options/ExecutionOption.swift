import OperationPool
import PoolInputs
import PoolModel
import PoolText

/// The options for what executes, where and in which order.
enum ExecutionOption: CaseIterable {
  case width
  case stream
  case order
  case history
  case dryRun
  case simulate
  case shell
  case worker
  case hosts
  case hostFile
  case hostVariable
  case hostLine
  case slurm
  case workerStart
  case lease
  case heartbeat
  case chaos
  case seed

  var row: OptionRow {
    switch self {
    case .width:
      OptionRow(
        "-j, --jobs N",
        """
        at most N operations execute at the same time, up to 10000. The default is the number of \
        cores that opool may use, or the quota of its cgroup if that is less. 0 means as many as \
        the system allows; +N, -N and N% are relative to the cores. N may also be a file that \
        contains such a value: opool reads a file again whenever it changes, and a pipe once
        """
      )
    case .stream:
      OptionRow(
        "--stream",
        in: .run,
        """
        execute lines as they come: opool checks each line alone, and a line can depend only on \
        earlier lines. Without it, opool checks the whole manifest first
        """
      )
    case .order:
      OptionRow(
        "--order ORDER",
        """
        order of operations that have the same priority: submission is the order of lines or \
        inputs (the default); critical-path takes the operation with the longest chain of work \
        first, which is its own duration and that of its dependents
        """
      )
    case .history:
      OptionRow(
        "--history FILE",
        """
        journal of an earlier run, whose durations --order critical-path uses, and --simulate. \
        An operation that is not in it counts with its field expected, or else with the mean
        """
      )
    case .dryRun:
      OptionRow(
        "-n, --dry-run",
        letterIn: .run,
        """
        check and plan only: print level, id and command of each operation; with --resume only \
        of those that would be executed; with -q only the verdict
        """
      )
    case .simulate:
      OptionRow(
        "--simulate WIDTHS",
        in: .run,
        """
        execute nothing, and say how long the run would take with each of these numbers of \
        slots, such as 1,2,4,8, and what keeps it from being faster. Durations are those in \
        --history FILE, here also lines of --events, or the field expected
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
        to set a variable, and exec before the last of several commands. May be repeated. If no \
        --worker serves commands, opool also starts its own workers, as many as -j says; -j does \
        not count the N workers. 1:ssh HOST opool-worker --slots=8 has 8 workers there, over one \
        connection
        """
      )
    case .hosts:
      OptionRow(
        "-S, --sshlogin HOSTS",
        """
        execute commands on these hosts, over one connection of ssh to each: HOST or USER@HOST, a \
        list with commas, or a command such as ssh -p 2222 HOST. 8/HOST executes at most 8 \
        commands there at once; without a number, as many as it has cores. : is this machine. \
        @gpu+ssd/8/HOST has the features gpu and ssd, which the field constraint can ask for. \
        opool must be installed there, and ssh must need no password
        """
      )
    case .hostFile:
      OptionRow(
        "--hosts FILE",
        """
        the same for the hosts that the lines of FILE name, one in each; lines that begin with # \
        say nothing. opool reads FILE again while it runs: a host that is new gets work within 2 \
        seconds, one that is gone ends after what it executes, and another number of slots counts \
        at once. While FILE has a mistake, the hosts stay as they were
        """
      )
    case .hostVariable:
      OptionRow(
        "--env NAME",
        """
        commands on the hosts of -S and --hosts have the variable NAME as it is here; may be repeated, or be a \
        list with commas. Without it, they have the environment that ssh gives them
        """
      )
    case .hostLine:
      OptionRow(
        "--init LINE",
        """
        each host of -S and --hosts executes LINE with sh before its first worker, such as 'module load gcc'; \
        what LINE exports is in the environment of commands. If it fails, so does the host
        """
      )
    case .slurm:
      OptionRow(
        "--slurm",
        """
        execute commands on all nodes of the Slurm job that opool is started in (by salloc or \
        sbatch), as many at once as the job has processors there: one step for each node
        """
      )
    case .workerStart:
      OptionRow(
        "--worker-start TIME",
        """
        kill a worker that has not greeted after TIME (60s; 10s for opool's own workers; none for \
        ssh and srun, which may wait for a machine). Give a worker more time that loads a model
        """
      )
    case .lease:
      OptionRow(
        "--lease TIME",
        """
        a worker of ssh or srun, or of another command by which it may be on another machine, \
        ends by itself with all that it executes when opool has not answered it for TIME (300s, \
        at least 5s). What it had when its link broke is lost, or executed again, only when it has \
        certainly ended: 1.2 × TIME + 1s after it was last heard of
        """
      )
    case .heartbeat:
      OptionRow(
        "--heartbeat TIME",
        """
        a worker that executes and sends nothing for TIME gets a ping; if it sends nothing for \
        TIME more, it is killed (10s, then 30s). A worker that stops in the middle of a frame is \
        killed after TIME (10s)
        """
      )
    case .chaos:
      OptionRow(
        "--chaos RATES",
        """
        inject faults, to test what a run survives: the shares of executions at which the worker \
        is killed, stopped or garbled, and the share of starts of workers that fail, such as \
        kill=1%,stop=0.1%,garble=0.1%,spawnfail=2%
        """
      )
    case .seed:
      OptionRow(
        "--seed N",
        """
        seed of the faults of --chaos (0), and of --shuf (a random seed)
        """
      )
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
    case .simulate: simulatedWidths = try value.widths()
    case .shell: shell = try value.shell()
    case .worker: workers.append(try value.worker())
    case .hosts: workers += try value.hosts()
    case .hostFile: hostFile = try value.path()
    case .hostVariable: hostSetup.variables += try value.hostVariables()
    case .slurm: workers += try value.slurmNodes()
    case .hostLine: hostSetup.initialization = value.bytes
    case .workerStart: workerStart = try value.nanoseconds()
    case .lease: lease = try value.lease()
    case .heartbeat: heartbeat = try value.nanoseconds()
    case .chaos: chaos = try value.chaos()
    case .seed: seed = UInt64(try value.integer(in: 0...Int(Int32.max)))
    }
  }
}

extension OptionValue {
  /// How long a worker lives without an answer.
  fileprivate func lease() throws(UsageError) -> LeaseTerms {
    let length = try nanoseconds()
    guard length >= LeaseTerms.least else {
      throw failure("--lease needs a time of at least \(Printable.seconds(LeaseTerms.least))")
    }
    return LeaseTerms(length: length)
  }

  /// Numbers of slots, separated by commas.
  fileprivate func widths() throws(UsageError) -> [Int] {
    var widths: [Int] = []
    for word in bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      guard let width = DecimalParser.integer(word), (1...WidthRequest.limit).contains(width),
        widths.count < 32
      else { throw failure("--simulate needs numbers up to 10000, such as 1,2,4,8") }
      widths.append(width)
    }
    return widths
  }
}
