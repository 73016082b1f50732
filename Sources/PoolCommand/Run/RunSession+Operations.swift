import OperationPool
import PoolCore
import PoolJournal
import PoolModel
import PoolSystem
import PoolWire
import Synchronization

// Operations: starts, retries and endings.

extension RunSession {
  func execution(of operation: OperationID) -> OperationExecution {
    gate?.noteDispatch(of: operation.number)
    var execution = workload.execution(of: operation.number)
    if execution.kind == CommandPayload.kind {
      defaults?.complete(&execution.payload)
      execution.variables = variables(of: operation.number)
      execution.outputs = outputHandling(of: operation.number)
    }
    return execution
  }

  /// What the environment of a command says of its operation; the rest its worker knows.
  private func variables(of operation: Int) -> ExecutionVariables {
    ExecutionVariables(
      id: workload.id(of: operation),
      sequence: operation + 1,
      key: idempotencyKey(of: operation)
    )
  }

  func handle(_ event: consuming RunEvent, number: Int) {
    switch consume event {
    case .settled(let settlement, let report): settled(PoolOutcome(settlement, report))
    case .started(let operation, let worker, let attempt, let now):
      started(operation, on: worker, attempt: attempt, at: now)
    case .progressed(let operation, let progress):
      guard options.verbosity == .verbose else { return }
      remark("\(label(operation)): \(progress.completed) of \(progress.total)")
    case .logged(let operation, let log):
      remark("\(label(operation)): \(Printable.text(log.message))")
    case .loggedLate(let operation, let log):
      guard operation.number < state.withLock({ $0.endings.count }) else { return }
      remark("\(label(operation)): \(Printable.text(log.message))")
    case .wrote(let operation, let chunk): written(operation.number, chunk)
    case .retrying(let settlement, let report): retries(PoolOutcome(settlement, report))
    case .fleet(let event): fleetChanged(event)
    case .deadlinePassed: deadlinePassed()
    case .becameIdle: becameIdle()
    case .stopped: stopped()
    case .changed, .printed: break
    }
  }

  private func started(
    _ operation: OperationID,
    on worker: WorkerID,
    attempt: Int,
    at now: Instant
  ) {
    runProgress.start(operation.number, on: worker, at: now)
    gate?.noteStart(of: operation.number, at: now)
    guard options.verbosity == .verbose else { return }
    let again = attempt > 1 ? ", attempt \(attempt)" : ""
    let command =
      workload.command(of: operation.number).map { ": " + MessageExcerpt.command($0) } ?? ""
    say("\(label(operation)): executing on worker \(worker)\(again)\(command)")
  }

  private func retries(_ outcome: PoolOutcome) {
    let settlement = outcome.settlement
    gate?.noteEnd(of: settlement.operation.number)
    runProgress.retry(settlement.operation.number, at: submission.nextAttempt(after: settlement))
    // What follows is no continuation of the lines that were printed.
    let hasPrinted = printAttempt(settlement.operation.number, OutputPair(of: outcome))
    let isListed = state.withLock { $0.summary.addRetry() }
    guard isListed || hasPrinted || options.verbosity == .verbose else { return }
    let reason = outcome.failure.map { Printable.text($0.description) } ?? outcome.ending.name
    let input =
      workload.input(of: settlement.operation.number).map { " (\(MessageExcerpt.input($0)))" } ?? ""
    say(
      "\(label(settlement.operation))\(input): attempt \(outcome.attempts): \(reason); trying again"
    )
  }

  private func settled(_ outcome: PoolOutcome) {
    let settlement = outcome.settlement
    if let group = group(settlement.operation) {
      return inOrder { self.whenKept { self.groupSettled(group, settlement, isKept: $0) } }
    }
    if isOnlyCounted(settlement) { return countUnstarted(settlement) }
    let resumed = resumed(outcome)
    let outputs = resumed?.outputs ?? OutputPair(of: outcome)
    let report = report(outcome, resumed)
    conclude(
      EndedOperation(
        settlement: settlement,
        report: report,
        outputs: outputs,
        resumed: resumed,
        readers: resumed?.lacking ?? readers(of: settlement, report, outputs),
        isKept: isKept(settlement, report)
      )
    )
  }

  /// Whether an operation was cancelled before its start, and no results, journal or line of text
  /// tell of it: the end of a run may cancel millions.
  private func isOnlyCounted(_ settlement: Settlement) -> Bool {
    settlement.ending == .cancelled && settlement.started == nil
      && options.results == nil && journal == nil && options.verbosity != .verbose
  }

  private func countUnstarted(_ settlement: Settlement) {
    let operation = settlement.operation.number
    runProgress.finish(operation, settlement.ending, after: nil, at: settlement.finished)
    state.withLock { state in
      state.endings[operation] = settlement.ending.rawValue
      state.summary.add(settlement.ending)
    }
    haltIfReached(by: settlement.ending)
    countSettled(operation)
    gate?.noteEnd(of: operation)
  }

  /// Counts an outcome, reports it, and prints the outputs of the operation.
  ///
  /// An outcome that should have been kept and was not is not reported, since a later run executes
  /// the operation again; from then on nothing is printed.
  func conclude(
    _ ended: EndedOperation,
    for readers: TargetRoles,
    isReported: Bool,
    isPrinted: Bool
  ) {
    let (settlement, report, outputs) = (ended.settlement, ended.report, ended.outputs)
    let operation = settlement.operation.number
    endIfUnread(report)
    runProgress.finish(
      operation,
      settlement.ending,
      after: usefulDuration(settlement, report),
      at: settlement.finished
    )
    if isPrinted, folder == nil {
      let printedCount = ended.resumed?.printedCount ?? 0
      let rest = OutputPair(output: outputs.output.dropFirst(printedCount), error: outputs.error)
      print(operation, readers.contains(.streams) ? rest : .empty)
    }
    // After its output, if the results go to the same stream.
    let isUnneeded = note(settlement, report, isReported: isReported, for: readers)
    if readers.contains(.jobLog) { log(report, of: operation) }
    state.withLock { state in
      if settlement.cause == .noWorker { state.lacksWorkers = true }
      state.summary.add(report, line: workload.line(of: operation), isUnneeded: isUnneeded)
    }
    advise(on: report, of: operation)
    tellLoss(of: settlement, outputs)
    if !report.isResumed { haltIfReached(by: settlement.ending) }
    tellEnding(of: label(settlement.operation), settlement)
  }

  /// Adds a hint if a command of a manifest may have failed because it was written for bash.
  ///
  /// `opool map` has looked at its only command before.
  private func advise(on report: OperationReport, of operation: Int) {
    let isUnknown = report.cause == PoolFailureCause.spawn.rawValue
    let isRefused = report.exit == 2 || report.exit == 127
    guard isUnknown || isRefused, workload.file != nil, options.shell == nil,
      let action = workload.commandPayload(of: operation)?.action,
      let hint = BashSyntax.ofThisProcess.hint(for: action)
    else { return }
    state.withLock { $0.summary.advise(hint) }
  }

  /// Ends the run if enough operations of this run have ended in the way that the user named.
  func haltIfReached(by ending: PoolEnding? = nil) {
    guard let policy = options.halt else { return }
    let tally = state.withLock { state in
      if let ending { state.tally.count(ending) }
      return state.tally
    }
    guard control.earlyExitCode == nil, policy.isReached(by: tally, total: total) else { return }
    let isFailure = policy.subject == .fail
    say("halted by --halt \(policy): \(tally)", always: isFailure)
    let code = policy.subject == .success ? ExitCode.success : .operationsFailed
    switch policy.moment {
    case .now: control.end(as: code)
    case .soon: control.drain(as: code)
    }
  }

  /// The duration of an execution, in this run or an earlier one, if others may take as long.
  private func usefulDuration(_ settlement: Settlement, _ report: OperationReport) -> Int64? {
    guard runProgress.isMeasuring else { return nil }
    switch settlement.ending {
    case .succeeded, .failed, .timedOut:
      return report.executionTime
        ?? journal?.resumption(of: settlement.operation.number)?.duration.map { .microseconds($0) }
    default: return nil
    }
  }

  /// The value of an operation that an earlier run has executed; nil for one of this run.
  private func resumed(_ outcome: PoolOutcome) -> RunJournal.Resumed? {
    let operation = outcome.settlement.operation.number
    guard let journal, let resumption = journal.resumption(of: operation) else { return nil }
    guard resumption.ending == outcome.ending else { return RunJournal.Resumed() }
    return journal.resumed(operation, inFolder: folder != nil)
  }

  /// Reports which outputs of an operation could not be fetched, unless its failure says so.
  private func tellLoss(of settlement: Settlement, _ outputs: OutputPair) {
    guard outputs.output.loss != nil || outputs.error.loss != nil else { return }
    let isResumed = journal?.resumption(of: settlement.operation.number) != nil
    guard settlement.ending != .failed || isResumed else { return }
    for (stream, content) in [("output", outputs.output), ("error output", outputs.error)] {
      guard let reason = content.loss else { continue }
      state.withLock { $0.hasLostOutput = true }
      say("\(label(settlement.operation)): its \(stream) is lost: \(reason)", always: true)
    }
  }

  private func report(_ outcome: PoolOutcome, _ resumed: RunJournal.Resumed?) -> OperationReport {
    let settlement = outcome.settlement
    let operation = settlement.operation.number
    if let resumption = journal?.resumedSettlement(of: operation) {
      var report = report(settlement, resumption, resumed)
      name(&report, operation)
      return report
    }
    let outputs = resumed?.outputs ?? OutputPair(of: outcome)
    let failure = outcome.failure
    let end = CommandEnd(
      failure,
      isCommand(operation) ? outcome.report.answer : nil,
      wasToEnd: !outcome.stepsTaken.isEmpty
    )
    var report = OperationReport(
      id: workload.id(of: operation),
      name: workload.name(of: operation),
      group: workload.group(of: operation).map { workload.groupName($0) },
      ending: outcome.ending,
      cause: cause(of: settlement, failure),
      exit: exitCode(of: operation, settlement) ?? end.exit,
      signal: end.signal,
      attempt: outcome.attempts,
      worker: outcome.worker,
      queued: settlement.queued?.nanoseconds,
      started: settlement.started?.nanoseconds,
      finished: settlement.finished.nanoseconds,
      usage: outcome.usage,
      standardOutput: excerpt(of: outputs.output),
      standardError: excerpt(of: outputs.error),
      result: options.results == nil ? nil : outcome.resultContent,
      message: failure?.description
    )
    report.stepsTaken = outcome.stepsTaken
    report.runStart = runStart
    report.errorType = failure?.type
    if failure?.cause == .error { report.errorCode = failure?.code }
    name(&report, operation)
    return report
  }

  /// Adds the operation's command, if people or programs will read it.
  private func name(_ report: inout OperationReport, _ operation: Int) {
    guard options.results != nil || options.jobLog != nil || report.ending.isFailure
    else { return }
    report.input = workload.input(of: operation)
    if options.results != nil { report.inputs = workload.inputs(of: operation) }
    report.command = workload.command(of: operation)
    guard options.results != nil, folder == nil else { return }
    report.key = idempotencyKey(of: operation)
    report.run = runIdentifier
  }

  private func idempotencyKey(of operation: Int) -> [UInt8] {
    journal?.idempotencyKey(of: operation) ?? identifier.key(ofOperation: operation)
  }

  /// 0 for a command that succeeded.
  func exitCode(of operation: Int, _ settlement: Settlement) -> Int32? {
    guard settlement.ending == .succeeded, settlement.cause == .answer,
      isCommand(operation)
    else { return nil }
    return 0
  }

  func isCommand(_ operation: Int) -> Bool {
    workload.kindNames[workload.kindIndex(of: operation)] == CommandPayload.kind
  }

  private func excerpt(of content: OutputContent) -> OutputExcerpt {
    OutputExcerpt(content.prefix, byteCount: content.byteCount)
  }

  /// The cause in a word; for a skipped operation, its root cause.
  private func cause(of settlement: Settlement, _ failure: PoolFailure?) -> String? {
    settlement.cause == .dependency ? rootCause(of: settlement) : failure?.cause.rawValue
  }
}
