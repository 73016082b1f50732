import OperationPool
import PoolCore
import PoolEvents
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
    let record = record(of: outcome, outputs)
    conclude(
      EndedOperation(
        settlement,
        record,
        outputs,
        result: resumed == nil ? result(of: outcome) : resumed?.result,
        resumed: resumed,
        for: resumed?.lacking ?? readers(of: settlement, record, outputs),
        isKept: isKept(settlement, record)
      )
    )
  }

  /// Whether an operation was cancelled before its start, and no results, journal or line of text
  /// tell of it: the end of a run may cancel millions.
  private func isOnlyCounted(_ settlement: Settlement) -> Bool {
    settlement.ending == .cancelled && settlement.started == nil
      && !hasResults && journal == nil && options.verbosity != .verbose
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
    let (settlement, record) = (ended.settlement, ended.record)
    let operation = record.number
    endIfUnread(record)
    runProgress.finish(
      operation,
      settlement.ending,
      after: usefulDuration(record),
      from: settlement.started,
      at: settlement.finished
    )
    if isPrinted, folder == nil {
      print(operation, readers.contains(.streams) ? ended.unprintedOutputs : .empty)
    }
    // After its output, if the results go to the same stream.
    let isUnneeded = note(record, isReported: isReported, for: readers) { ended.line(for: readers) }
    if readers.contains(.jobLog) { log(record) }
    state.withLock { state in
      if record.cause == .noWorker { state.lacksWorkers = true }
      state.summary.add(record, isUnneeded: isUnneeded) { workload.description(of: operation) }
    }
    advise(on: record)
    tellLoss(of: settlement, ended.outputs)
    if !record.isResumed { haltIfReached(by: record.ending) }
    tellEnding(of: label(settlement.operation), settlement)
  }

  /// Adds a hint if a command of a manifest may have failed because it was written for bash.
  ///
  /// `opool map` has looked at its only command before.
  private func advise(on record: SettledRecord) {
    let isUnknown = record.cause == .spawn
    let isRefused = record.exit == 2 || record.exit == 127
    guard isUnknown || isRefused, workload.file != nil, options.shell == nil,
      let action = workload.commandPayload(of: record.number)?.action,
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
  private func usefulDuration(_ record: SettledRecord) -> Int64? {
    guard runProgress.isMeasuring else { return nil }
    switch record.ending {
    case .succeeded, .failed, .timedOut:
      return record.executionTime
        ?? journal?.resumption(of: record.number)?.duration.map { .microseconds($0) }
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

  /// The result, if something takes it.
  private func result(of outcome: PoolOutcome) -> ResultContent? {
    hasResults ? outcome.resultContent : nil
  }

  func idempotencyKey(of operation: Int) -> [UInt8] {
    journal?.idempotencyKey(of: operation) ?? identifier.key(ofOperation: operation)
  }
}
