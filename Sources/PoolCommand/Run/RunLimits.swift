import OperationPool
import PoolCore
import PoolInputs
import PoolModel
import PoolReports
import PoolSystem
import PoolWire

/// How many operations execute at once, on which workers, and what starts them.
struct RunLimits {
  let width: RunWidth
  let control: RunControl
  let gate: StartGate?

  init(_ workload: any Workload, _ options: SharedOptions) throws {
    let parentTokens = JobTokens.connect(options)
    let jobs = parentTokens == nil ? nil : options.starts.jobserver.jobs
    width = try RunWidth(options.width, jobs: jobs)
    let tokens = try parentTokens ?? JobTokens.serve(width.atStart, options)
    var chaos = options.chaos
    chaos?.seed = options.seed ?? 0
    let workers = try Self.fleet(workload, options, width, tokens)
    control = RunControl(workers, Self.policy(options), chaos: chaos, tokens: tokens)
    gate = StartGate(options, width, control)
    try gate?.check()
  }

  private static func policy(_ options: SharedOptions) -> PoolPolicy {
    var policy = PoolPolicy()
    policy.retryRule = options.retrySettings.rule
    if let teardown = options.teardown { policy.teardown = teardown }
    policy.relativeTimeout = options.relativeTimeout
    if let heartbeat = options.heartbeat {
      policy.heartbeatInterval = heartbeat
      policy.heartbeatLimit = heartbeat
      policy.frameTimeout = heartbeat
      policy.startTimeout = min(policy.startTimeout / 2, heartbeat) * 2
    }
    // Deaths of workers by injected faults do not blame their operations; each such death costs an
    // attempt, so their number is limited. A worker that dies before it has begun anything was not
    // hit on purpose, but with so many deaths a few more of these are allowed.
    if options.chaos != nil {
      policy.quarantineLimit = .max
      policy.restartLimit = 20
    }
    return policy
  }

  /// The user's workers, and the standard ones for commands: beside the user's workers, only if all
  /// of those have announced that they do not serve commands.
  private static func fleet(
    _ workload: any Workload,
    _ options: SharedOptions,
    _ width: RunWidth,
    _ tokens: JobTokens?
  ) throws -> [PoolWorkerConfiguration] {
    let own = options.workers.map { request in
      PoolWorkerConfiguration.command(
        String(decoding: request.command, as: UTF8.self),
        count: request.count
      )
      .asEager.holding(journal: options.journal.path).greeting(by: options).leased(by: options)
      .waitingForOutput(milliseconds: options.display.outputGrace)
    }
    guard workload.kindNames.contains(CommandPayload.kind) else { return own }
    let ends = tokens?.ends.map { [$0.read, $0.write] } ?? []
    var standard = try PoolWorkerConfiguration.standard(count: width.workers)
      .holding(journal: options.journal.path).greeting(by: options)
      .passing(options.starts.passed + ends)
      .waitingForOutput(milliseconds: options.display.outputGrace)
      .coloring(by: options)
    if options.display.isUngrouped { standard = standard.inheriting(try ownStreams()) }
    return own + [own.isEmpty ? standard : standard.asReserve]
  }

  /// Copies of this process's output streams, which workers inherit.
  private static func ownStreams() throws(SystemFailure) -> InheritedStreams {
    let streams = InheritedStreams(
      output: try Descriptors.duplicate(1),
      error: try Descriptors.duplicate(2)
    )
    for stream in [streams.output, streams.error] { try Descriptors.setCloseOnExec(stream, false) }
    return streams
  }
}

extension PoolWorkerConfiguration {
  /// The same workers, with the time of `--worker-start` to greet.
  fileprivate func greeting(by options: SharedOptions) -> Self {
    greeting(within: options.workerStart, advice: GreetingWait.advice)
  }

  /// The same workers, with the time of `--lease` to live without an answer.
  fileprivate func leased(by options: SharedOptions) -> Self {
    options.lease.map { lease(.nanoseconds($0.length)) } ?? self
  }
}
