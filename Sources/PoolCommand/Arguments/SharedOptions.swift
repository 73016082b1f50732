package import PoolCore
package import PoolModel

/// What `opool run` and `opool map` have in common.
package struct SharedOptions: Hashable, Sendable {
  /// How much is said on the standard error.
  package enum Verbosity: Hashable, Sendable {
    case quiet
    case normal
    case verbose
  }

  /// How many operations execute at once, 1 to 10,000; nil for as many as there are cores.
  package var width: Int?
  /// Whether outputs appear in the order of the input.
  package var keepsOrder = false
  /// What comes first among operations of one priority.
  package var order = SchedulingPolicy.submission
  /// The journal of an earlier run, which knows how long operations take.
  package var history: [UInt8]?
  /// Whether everything is checked and planned, and nothing executed.
  package var isDryRun = false
  /// Extra attempts for every operation that does not say itself.
  package var retries: Int?
  /// The only causes that are followed by another attempt; nil for all.
  package var retryCauses: Set<PoolRetryCause>?
  /// Nanoseconds before the first extra attempt, doubled for each further one.
  package var retryDelay: Int64?
  /// Nanoseconds of execution for every operation that does not say itself.
  package var timeout: Int64?
  /// The same in hundredths of the median execution that has succeeded.
  package var relativeTimeout: RelativeTimeout?
  /// Nanoseconds that the whole run may take; nil for no limit.
  package var deadline: Int64?
  /// How operations are made to end; nil for the pool's own way.
  package var teardown: PoolTeardownSequence?
  /// Nanoseconds of silence after which a worker is asked, and after which it is then killed.
  package var heartbeat: Int64?
  /// Faults that are made on purpose.
  package var chaos: Chaos?
  /// What the faults follow from.
  package var seed: UInt64 = 0
  /// The path of the file for results.
  package var results: [UInt8]?
  package var journal = JournalOptions()
  /// Workers of the user's own, in the order in which they were given.
  package var workers: [WorkerRequest] = []
  package var verbosity = Verbosity.normal
  /// Whether there is to be a progress line; nil where the streams decide.
  package var progress: Bool?

  package init() {}

  /// The same for a run that has waited for its manifest for so many nanoseconds, which count.
  package func afterWaiting(_ time: Int64) -> Self {
    var rest = self
    rest.deadline = deadline.map { max($0 - time, 0) }
    return rest
  }
}

/// `--worker 'N:COMMAND'`: so many workers, each started by this command.
package struct WorkerRequest: Hashable, Sendable {
  /// How many, 1 to 10,000.
  package var count: Int
  /// A line for `sh -c 'exec …'`; not empty.
  package var command: [UInt8]

  package init(count: Int, command: [UInt8]) {
    self.count = count
    self.command = command
  }
}
