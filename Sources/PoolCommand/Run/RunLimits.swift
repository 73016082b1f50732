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
  let hosts: HostFileWatch?

  init(_ workload: any Workload, _ options: SharedOptions) throws {
    let parentTokens = JobTokens.connect(options)
    let jobs = parentTokens == nil ? nil : options.starts.jobserver.jobs
    width = try RunWidth(options.width, jobs: jobs)
    let tokens = try parentTokens ?? JobTokens.serve(width.atStart, options)
    var chaos = options.chaos
    chaos?.seed = options.seed ?? 0
    let workers = try Self.fleet(workload, options, width, tokens)
    control = RunControl(
      workers,
      Self.policy(options),
      roster: WorkerRoster(options.workers, hasOwn: workers.count > options.workers.count),
      drainSignal: options.drainSignal,
      chaos: chaos,
      tokens: tokens
    )
    hosts = HostFileWatch(options, control) { [width] request in
      try Self.workers(request, options, width, tokens)
    }
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
    let own = try options.workers.map { try Self.workers($0, options, width, tokens) }
    guard workload.kinds.contains(where: { $0.name == CommandPayload.kind }) else { return own }
    let others = try standard(width.workers, options, tokens)
    return own + [own.isEmpty ? others : others.asReserve]
  }

  /// The workers that one request asks for.
  private static func workers(
    _ request: WorkerRequest,
    _ options: SharedOptions,
    _ width: RunWidth,
    _ tokens: JobTokens?
  ) throws -> PoolWorkerConfiguration {
    var workers =
      switch request.place {
      case .command(let command):
        PoolWorkerConfiguration.command(
          String(decoding: command, as: UTF8.self),
          count: request.count ?? 1
        )
      case .host(let login):
        if let slots = request.count, request.isFromFile {
          PoolWorkerConfiguration.ssh(changing: login, slots: slots, after: options.hostSetup)
        } else {
          PoolWorkerConfiguration.ssh(login, slots: request.count, after: options.hostSetup)
        }
      case .node(let node): try PoolWorkerConfiguration.slurm(node)
      case .here: try standard(request.count ?? width.workers, options, tokens)
      }
    workers = workers.having(request.features)
    if case .here = request.place { return workers }
    return workers.asEager.set(by: options).leased(by: options)
  }

  /// Workers of this machine for commands.
  private static func standard(
    _ count: Int,
    _ options: SharedOptions,
    _ tokens: JobTokens?
  ) throws -> PoolWorkerConfiguration {
    let ends = tokens?.ends.map { [$0.read, $0.write] } ?? []
    let workers = try PoolWorkerConfiguration.standard(count: count)
      .set(by: options).passing(options.starts.passed + ends).coloring(by: options)
    return options.display.isUngrouped ? workers.inheriting(try ownStreams()) : workers
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
  /// The same workers, with the settings of the options that hold for all.
  fileprivate func set(by options: SharedOptions) -> Self {
    holding(journal: options.journal.path)
      .greeting(within: options.workerStart, advice: GreetingWait.advice)
      .waitingForOutput(milliseconds: options.display.outputGrace)
  }

  /// The same workers, with the time of `--lease` to live without an answer.
  fileprivate func leased(by options: SharedOptions) -> Self {
    options.lease.map { lease(.nanoseconds($0.length)) } ?? self
  }
}
