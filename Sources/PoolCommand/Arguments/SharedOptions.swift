package import OperationPool
package import PoolCore
package import PoolInputs
package import PoolModel
package import PoolReports
package import PoolSystem

/// The options that `opool run` and `opool map` share.
package struct SharedOptions: Hashable, Sendable {
  /// Maximum number of operations that execute at once; nil for the number of cores.
  package var width: WidthRequest?
  /// When operations start, and how commands execute.
  package var starts = StartOptions()
  /// Whether outputs appear in the order of the input.
  package var keepsOrder = false
  /// When outputs are printed, and what their lines begin with.
  package var display = DisplayOptions()
  /// The order among operations of one priority.
  package var order = PoolSchedulingPolicy.submission
  /// The journal of an earlier run, which has the durations of operations.
  package var history: [UInt8]?
  /// Whether the lines of a manifest are executed as they come.
  package var streams = false
  /// Whether the run is only checked and planned.
  package var isDryRun = false
  /// The numbers of slots for which the run is only simulated; empty for none.
  package var simulatedWidths: [Int] = []
  /// The picture of the plan that is printed instead of a run.
  package var graph = GraphRequest()
  /// Extra attempts of operations without their own number.
  package var retries: Int?
  /// The failures that are retried; nil for all.
  package var retryCondition: RetryCondition?
  /// Nanoseconds before the first extra attempt, doubled for each further one; nil for the standard
  /// delays, which end at a shorter one.
  package var retryDelay: Int64?
  /// Timeout in nanoseconds of operations without their own.
  package var timeout: Int64?
  /// Whether what may have begun behind a link that ended is executed again.
  package var isIdempotent = false
  /// The same timeout in hundredths of the median of successful executions.
  package var relativeTimeout: RelativeTimeout?
  /// Nanoseconds that the whole run may take; nil for no limit.
  package var deadline: Int64?
  /// Nanoseconds before the end of its job of Slurm from which on the run begins nothing; nil for
  /// none.
  package var margin: Int64?
  /// The signal after which the run begins nothing; nil for none beside SIGHUP.
  package var drainSignal: ProcessSignal?
  /// When the run ends early because of how operations end; nil for never.
  package var halt: HaltPolicy?
  /// The teardown sequence; nil for the pool's default.
  package var teardown: PoolTeardownSequence?
  /// Nanoseconds that a worker has to greet; nil for the pool's defaults.
  package var workerStart: Int64?
  /// How long a worker that may be on another machine lives without an answer; nil for the default.
  package var lease: LeaseTerms?
  /// Nanoseconds of silence before a ping, and again before the worker is killed.
  package var heartbeat: Int64?
  /// Faults that the run injects.
  package var chaos: Chaos?
  /// The seed of the faults and of a random order; nil for 0 and for a random one.
  package var seed: UInt64?
  /// Where lines of each sort go.
  package var targets: [TargetLines: TargetRequest] = [:]
  package var journal = JournalOptions()
  /// The file of a page about the run, which is written at its end.
  package var report: [UInt8]?
  /// The file of JUnit's XML, which is written at the end of the run.
  package var junit: [UInt8]?
  /// The system for whose log the run writes; nil for none.
  package var ci: ContinuousIntegration?
  /// The program that executes command lines; nil for `/bin/sh`.
  package var shell: [UInt8]?
  /// The user's own workers, in the order of the arguments.
  package var workers: [WorkerRequest] = []
  /// The file that names hosts, which may change.
  package var hostFile: [UInt8]?
  /// What hosts do before their first worker.
  package var hostSetup = HostSetup()
  package var verbosity = Verbosity.normal
  /// Whether reports are lines of JSON.
  package var printsJSON = false
  /// How a terminal shows the progress; nil if that depends on the streams.
  package var progress: ProgressStyle?
  /// When colours are used.
  package var color = ColorChoice.auto
  /// Nanoseconds between two reports of the progress, 0 for no reports; nil for the default.
  package var progressInterval: Int64?
  /// A line for the shell that is executed when the run has ended.
  package var endCommand: [UInt8]?

  package init() {}

  /// Whether the workload is only looked at.
  var executesNothing: Bool { isDryRun || !simulatedWidths.isEmpty || graph.format != nil }

  /// The path of the file, or the folder, for results.
  package var results: [UInt8]? {
    get { targets[.results]?.path }
    set { targets[.results] = newValue.map { TargetRequest(path: $0) } }
  }

  /// The job log.
  package var jobLog: TargetRequest? {
    get { targets[.jobLog] }
    set { targets[.jobLog] = newValue }
  }

  /// When and after which failures operations without settings of their own are retried.
  var retrySettings: RetrySettings { RetrySettings(delay: retryDelay, condition: retryCondition) }

  /// Whether no worker serves anything but commands.
  package var servesOnlyCommands: Bool { workers.allSatisfy(\.areStandard) }

  /// The options with the deadline shortened by the nanoseconds of the preparation so far.
  package func afterWaiting(_ time: Int64) -> Self {
    var rest = self
    rest.deadline = deadline.map { max($0 - time, 0) }
    return rest
  }
}
