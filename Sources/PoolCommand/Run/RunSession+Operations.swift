import OperationPool
import PoolContents
import PoolCore
import PoolEvents
import PoolInputs
import PoolJournal
import PoolModel
import PoolReports
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
      execution.outputs = printing.outputHandling(of: operation.number)
    }
    return execution
  }

  func timeLimit(of operation: OperationID) -> TimeLimit? {
    let number = operation.number
    return (workload.timeout(of: number) ?? options.timeout).map { timeout in
      TimeLimit(
        nanoseconds: timeout,
        teardown: workload.teardown(of: number) ?? options.teardown ?? .standard
      )
    }
  }

  /// What the environment of a command says of its operation; the rest its worker knows.
  private func variables(of operation: Int) -> ExecutionVariables {
    ExecutionVariables(
      id: workload.id(of: operation),
      sequence: operation + 1,
      key: identity.key(of: operation)
    )
  }

  func handle(_ event: consuming RunEvent, number: Int) {
    switch consume event {
    case .settled(let settlement, let report): settled(PoolOutcome(settlement, report))
    case .started(let operation, let worker, let attempt, let now):
      gate?.noteStart(of: operation.number, at: now)
      let number = operation.number
      tell(.started(AttemptStarted(number: number, attempt: attempt, worker: worker, time: now)))
    case .progressed(let operation, let progress):
      guard options.verbosity == .verbose else { return }
      messages.remark("\(label(operation.number)): \(progress.completed) of \(progress.total)")
    case .logged(let operation, let log): remark(log, of: operation.number)
    case .loggedLate(let operation, let log):
      if recorder.knows(operation.number) { remark(log, of: operation.number) }
    case .wrote(let operation, let chunk): printing.written(operation.number, chunk)
    case .retrying(let settlement, let report): retries(PoolOutcome(settlement, report))
    case .fleet(let event): fleetChanged(event)
    case .deadlinePassed: deadlinePassed()
    case .becameIdle: becameIdle()
    case .stopped: stopped()
    case .changed, .printed: break
    }
  }

  private func remark(_ log: Log, of operation: Int) {
    messages.remark("\(label(operation)): \(Printable.text(log.message))")
  }

  private func fleetChanged(_ event: FleetEvent) {
    switch event {
    case .greeted(let worker, let known):
      let configuration = Int(known.configuration.rawValue)
      let process = known.process
      workerProcesses.withLock { $0[worker] = process }
      tell(
        .workerGreeted(
          WorkerGreeted(
            worker: worker,
            process: process,
            configuration: configuration,
            place: control.roster.request(of: configuration)
              .map { String(decoding: $0.command, as: UTF8.self) },
            host: known.host
          )
        )
      )
    case .died(let death):
      workerProcesses.withLock { $0[death.worker] = nil }
      tell(.workerEnded(WorkerEnded(death)))
    default: break
    }
    fleet.tell(event)
  }

  private func retries(_ outcome: PoolOutcome) {
    let settlement = outcome.settlement
    let number = settlement.operation.number
    gate?.noteEnd(of: number)
    // What follows is no continuation of the lines that were printed.
    let outputs = OutputPair(of: outcome)
    followed.end(number, outputs)
    let hasPrinted = printing.printAttempt(number, outputs)
    if kinds.contains(.attemptEnded) {
      tell(.attemptEnded(recorder.retriedAttempt(outcome, outputs)))
    }
    let reason = outcome.failure.map { Printable.text($0.description) } ?? outcome.ending.name
    let retry = RetryPlanned(
      number: number,
      after: outcome.attempts,
      due: submission.nextAttempt(after: settlement),
      because: reason,
      hasPrinted: hasPrinted
    )
    tell(.retryPlanned(retry))
  }

  private func settled(_ outcome: PoolOutcome) {
    let settlement = outcome.settlement
    if let group = group(settlement.operation) { return settled(group: group, settlement) }
    if isOnlyCounted(settlement) { return countUnstarted(settlement) }
    let resumed = resumed(outcome)
    let outputs = resumed?.outputs ?? OutputPair(of: outcome)
    followed.end(settlement.operation.number, outputs)
    let record = recorder.outcome(outcome, outputs)
    noteEnd(settlement, isKept: isKept(settlement, record))
    conclude(
      EndedOperation(
        record,
        outputs,
        result: resumed == nil ? result(of: outcome) : resumed?.result,
        resumed: resumed,
        for: resumed?.lacking ?? readers(of: settlement, record, outputs),
        isKept: isKept(settlement, record)
      )
    )
  }

  private func settled(group: Int, _ settlement: Settlement) {
    let record = recorder.group(settlement, memberCount: submission.memberCounts[group])
    let ended = EndedOperation(record, .empty, for: .results, isKept: false)
    inOrder {
      if self.mustWait(isKeeping: false) { return self.wait(.group(ended)) }
      self.finish(group: ended, isKept: true)
    }
  }

  /// Whether an operation was cancelled before its start, and no results, journal or reader take
  /// more of it than that: the end of a run may cancel millions.
  private func isOnlyCounted(_ settlement: Settlement) -> Bool {
    settlement.ending == .cancelled && settlement.started == nil && journal == nil
      && !hasResults && !readers.kinds.contains(.attemptEnded)
  }

  private func countUnstarted(_ settlement: Settlement) {
    readers.take(.settled(recorder.unstarted(settlement), counts: true))
    let operation = settlement.operation.number
    haltIfReached()
    countSettled(operation)
    gate?.noteEnd(of: operation)
  }

  /// Ends the run if enough operations of this run have ended in the way that the user named.
  func haltIfReached() {
    guard let halt, control.earlyExitCode == nil, let tally = halt.reached(of: total) else {
      return
    }
    let policy = halt.policy
    say("halted by --halt \(policy): \(tally)", always: policy.subject == .fail)
    let record = RunHalted(
      policy: policy.description,
      failed: tally.failed,
      succeeded: tally.succeeded
    )
    book?.take(.halted(record))
    readers.take(.halted(record))
    let code = policy.subject == .success ? ExitCode.success : .operationsFailed
    switch policy.moment {
    case .now: control.end(as: code)
    case .soon: control.drain(as: code)
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
  func tellLoss(of ended: EndedOperation) {
    let (record, outputs) = (ended.record, ended.outputs)
    guard outputs.output.loss != nil || outputs.error.loss != nil else { return }
    let isResumed = journal?.resumption(of: record.number) != nil
    guard record.ending != .failed || isResumed else { return }
    for (stream, content) in [("output", outputs.output), ("error output", outputs.error)] {
      guard let reason = content.loss else { continue }
      control.noteDroppedOutput()
      say("\(label(record.number)): its \(stream) is lost: \(reason)", always: true)
    }
  }

  /// The result, if something takes it.
  private func result(of outcome: PoolOutcome) -> ResultContent? {
    hasResults ? outcome.resultContent : nil
  }
}

extension WorkerEnded {
  fileprivate init(_ death: PoolWorkerDeath) {
    self.init(
      worker: death.worker,
      process: death.pid,
      manner: death.manner.rawValue,
      status: death.status,
      message: Printable.text(death.fact + death.doubt)
    )
  }
}
