import OperationPool
import PoolInputs
import PoolJournal
import PoolModel
import PoolReports
import PoolSystem

/// Executes a workload: makes the parts of a run, waits for its end, and reports the summary.
enum WorkloadRun {
  /// Executes a workload, or the operations that a producer adds while it runs.
  static func execute(
    _ workload: any Workload,
    _ options: SharedOptions,
    _ preparation: RunPreparation,
    from manifest: FileIdentity? = nil,
    producer: (any WorkloadProducer)? = nil
  ) -> ExitCode {
    let options = options.located.afterWaiting(preparation.elapsed)
    do {
      var files = try RunFiles(reading: manifest, workload.file, inputs: producer?.files ?? [])
      let session = try begin(workload, options, preparation, &files, producer)
      let code = finish(session, options)
      EndCommand(of: session, endedAs: code)?.execute()
      return code
    } catch let error as JournalError {
      options.complain(text(error, options))
      return .output
    } catch let error as SharedFileError {
      options.complain("opool: \(error.message)")
      return .usage
    } catch let failure as RunFailure {
      options.complain("opool: \(failure.message)")
      return failure.code
    } catch {
      options.complain("opool: \(error)")
      return .workers
    }
  }

  /// Makes the parts of a run, and waits for its end.
  private static func begin(
    _ workload: any Workload,
    _ options: SharedOptions,
    _ preparation: RunPreparation,
    _ files: inout RunFiles,
    _ producer: (any WorkloadProducer)?
  ) throws -> RunSession {
    preparation.enter(.folders)
    if producer == nil { try options.journal.demandReruns(in: workload) }
    try prepareSystem(options)
    preparation.enter(.width)
    let limits = try RunLimits(workload, options)
    preparation.enter(.targets)
    let targets = try RunTargets(options, for: workload, preparation, &files)
    let session = try makeSession(
      workload,
      options,
      limits,
      targets,
      preparation,
      hasProducer: producer != nil
    )
    sayWhatWasDecided(session, limits)
    let inbox = try SignalInbox(session.control.signals)
    try inbox.listen { session.receive($0) }
    preparation.endInTime()
    session.begin(width: limits.width.atStart)
    try start(session, producer)
    session.wait()
    return session
  }

  /// Says what the options and files have led to.
  private static func sayWhatWasDecided(_ session: RunSession, _ limits: RunLimits) {
    let options = session.options
    if options.ci == .github, GitHubPlaces(.current).summary == nil {
      session.say("--ci: \(GitHubPlaces.summaryVariable) is not set: the step gets no summary")
    }
    if let remark = limits.width.remark { session.say(remark, verbose: true) }
    if let seed = session.order?.seed { session.say("--shuf: the seed is \(seed)", verbose: true) }
    if !options.workers.isEmpty, !options.starts.passed.isEmpty {
      session.say("--pass-fd: only commands in opool's own workers get it")
    }
    for warning in session.journal?.warnings ?? [] {
      session.say("\(Printable.text(options.journal.path ?? [])): \(warning)")
    }
  }

  /// Submits the workload, and starts the coordinator and the producer.
  private static func start(_ session: RunSession, _ producer: (any WorkloadProducer)?) throws {
    let (options, control) = (session.options, session.control)
    if let deadline = options.deadline {
      control.limit(to: max(deadline - control.engine.now.nanoseconds, 0))
    }
    // The standard worker's kinds are known; other workers must announce theirs before anything
    // runs.
    if !options.servesOnlyCommands { control.suspend(for: .fleet) }
    if producer != nil, session.order != nil { control.suspend(for: .order) }
    session.submit(0..<session.workload.count)
    do {
      try session.gate?.open(telling: session.messages)
      try session.hosts?.open(telling: session.messages)
      try session.allocation?.open(telling: session.messages)
      try control.engine.run(for: session)
    } catch {
      session.gate?.close()
      session.hosts?.close()
      session.allocation?.close()
      throw error
    }
    if let producer { try producer.start(for: session) } else { session.endInput() }
  }
}
