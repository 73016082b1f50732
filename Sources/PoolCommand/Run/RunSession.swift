import OperationPool
import PoolAnalysis
import PoolContents
import PoolEvents
import PoolInputs
import PoolJournal
import PoolModel
import PoolReports
import PoolSystem
import Synchronization

/// One run of a workload: submits it, and turns what the engine tells into records, which its
/// readers take.
///
/// Methods of the client run on the coordinator's thread; the others on the thread that began the
/// run, or on one that produces its operations.
final class RunSession: EngineClient {
  let workload: any Workload
  let options: SharedOptions
  let control: RunControl
  let runProgress: RunProgress
  private let knownSubmission: Mutex<WorkloadSubmission>
  let journal: RunJournal?
  /// The folder that outputs go to, instead of the streams.
  let folder: FolderTarget?
  let identity: RunIdentity
  let messages: RunMessages
  let fleet: FleetMessages
  let printing: OutputPrinting
  let recorder: RunRecorder
  let readers: RunReaders
  /// What the journal is told beside outcomes.
  let book: JournalBook?
  /// The kinds of records that a reader or the journal takes.
  let kinds: RunRecord.Kinds
  let halt: HaltWatch?
  let history: HistoryReader?
  let junit: JUnitReader?
  let github: GitHubReader?
  let kept: KeptRun?
  /// Lets operations start one by one; nil if they may start as soon as there are workers.
  let gate: StartGate?
  /// Follows the file of hosts, if there is one.
  let hosts: HostFileWatch?
  /// Ends the run before its job of Slurm, if it is to.
  let allocation: AllocationWatch?
  /// What is added to commands.
  let defaults: CommandDefaults?
  /// The random order of starts, if they have one.
  let order: StartOrder?
  /// Expected durations, if they matter for the order.
  private let durations: Mutex<ExpectedDurations?>
  /// What its threads wait for.
  let flow: RunFlowControl
  /// Operations that have ended, while outputs are being stored.
  let endings: EndingQueue
  /// What the readers are told after the journal's next commit, in order.
  let waiting = Mutex<[WaitingEvent]>([])

  /// Where other processes ask the run; nil before its first second is over.
  let door = Mutex<RunDoor?>(nil)
  /// The processes of workers that live.
  let workerProcesses = Mutex<[WorkerID: Int32]>([:])
  /// What other processes have asked it for.
  let steering = RunSteering()
  /// The outputs that other processes read while operations execute.
  let followed = FollowedOutputs()

  /// What waits for the journal.
  enum WaitingEvent: Sendable {
    case record(RunRecord)
    case outcome(EndedOperation, isStored: Bool, isKeeping: Bool)
    case group(EndedOperation)
  }

  init(
    _ workload: any Workload,
    _ options: SharedOptions,
    _ control: RunControl,
    _ printer: Printer,
    _ runProgress: RunProgress,
    _ journal: RunJournal? = nil,
    durations: ExpectedDurations? = nil,
    gate: StartGate? = nil,
    hosts: HostFileWatch? = nil,
    watch: RunWatch? = nil,
    sinks: sending [TargetLines: LineSink] = [:],
    folder: ResultsFolder? = nil
  ) {
    (self.workload, self.options, self.control) = (workload, options, control)
    (self.runProgress, self.journal) = (runProgress, journal)
    (self.gate, self.hosts) = (gate, hosts)
    allocation = AllocationWatch(options, control)
    var parts = RunParts(workload, options, control, printer, runProgress, journal, folder)
    parts.watch = watch
    (identity, messages, printing) = (parts.identity, parts.messages, parts.printing)
    (halt, flow) = (parts.halt, parts.flow)
    (history, kept) = (parts.history, parts.kept)
    (junit, github) = (parts.junit, parts.github)
    readers = RunReaders(parts, sinks)
    let recorder = RunRecorder(workload, journal)
    self.recorder = recorder
    fleet = FleetMessages(workload, options, control, messages)
    self.folder = FolderTarget(folder, workload, journal)
    defaults = CommandDefaults(options.starts)
    order = StartOrder(options)
    self.durations = Mutex(durations)
    endings = EndingQueue { [control] isStoring in
      if isStoring { return control.readers.note(startOf: .storage) }
      control.readers.note(endOf: .storage)
      control.engine.takeTurn()
    }
    let submission = WorkloadSubmission(workload, options, control, journal)
    knownSubmission = Mutex(submission)
    book = journal.map { journal in
      JournalBook(journal, now: { [engine = control.engine] in engine.now }) { number in
        recorder.submitted(number, submission, nil)
      }
    }
    kinds = book == nil ? readers.kinds : readers.kinds.union(JournalBook.kinds)
  }

  var printer: Printer { messages.printer }

  /// Whether results are written, to a file or a folder, and a job log.
  var hasResults: Bool { options.targets[.results] != nil || folder != nil }
  var hasJobLog: Bool { options.targets[.jobLog] != nil }

  /// Tells the readers that the run begins, with that many operations at once.
  func begin(width: Int) {
    steering.begin(width: width)
    guard kinds.contains(.runBegan) else { return }
    let began = RunBegan(
      start: identity.start,
      run: identity.name,
      journal: journal.map { (path: options.journal.path ?? [], epoch: Int($0.journal.epoch)) },
      process: CurrentProcess.identifier,
      host: MachineIdentity.hostName,
      boot: BootIdentifier.current,
      cores: Processors.available,
      memory: MachineIdentity.memory,
      width: width,
      delay: options.starts.delay > 0 ? options.starts.delay : nil,
      arguments: CurrentProcess.arguments,
      folder: CurrentProcess.folder
    )
    book?.take(.runBegan(began))
    readers.take(.runBegan(began))
  }

  /// The operations in the form that the engine takes.
  var submission: WorkloadSubmission { knownSubmission.withLock { $0 } }

  /// Submits operations in order; they are numbered as in the workload.
  ///
  /// The bytes are those of their inputs that `Workload.release(_:)` frees.
  func submit(_ operations: Range<Int>, byteCount: Int = 0) {
    guard !operations.isEmpty else { return }
    journal?.expect(operations, of: workload)
    folder?.folder.expect(operations, of: workload)
    recorder.expect(operations)
    let ranks =
      order?.ranks(of: operations)
      ?? durations.withLock { $0?.ranks(of: operations, of: workload, journal) }
    flow.add(operations.count, byteCount: byteCount)
    runProgress.expect(operations.count)
    // The end of a run cancels all operations under the engine's lock; none may be added after
    // that.
    let submission = knownSubmission.withLock { submission in
      submission.declare(to: control.engine)
      return submission
    }
    tell(submitted: operations, submission)
    control.engine.submit(operations, of: submission, by: ranks, to: control.queue) {
      control.earlyExitCode == nil
    }
    gate?.noteSubmission()
  }

  /// Tells the readers of operations, and of all groups, before any can begin.
  private func tell(submitted operations: Range<Int>, _ submission: WorkloadSubmission) {
    let isTold = readers.kinds.contains(.submitted)
    if isTold {
      for number in operations {
        readers.take(.submitted(recorder.submitted(number, submission, identity)))
      }
    }
    guard isTold || book != nil else { return }
    for (group, count) in submission.memberCounts.enumerated() {
      let record = recorder.submitted(group: group, memberCount: count, identity)
      book?.tell(record)
      readers.take(.submitted(record))
    }
  }

  /// Hands a record to the readers, after those of what happened before.
  func tell(_ record: RunRecord) {
    guard kinds.contains(record.kind) else { return }
    if endings.count == 0 { return tellInTurn(record) }
    inOrder { self.tellInTurn(record) }
  }

  private func tellInTurn(_ record: RunRecord) {
    if let book, JournalBook.kinds.contains(record.kind) { book.take(record) }
    guard readers.kinds.contains(record.kind) else { return }
    if mustWait(isKeeping: false) { return wait(.record(record)) }
    readers.take(record)
  }

  /// Waits until the coordinator has ended; writes gathered lines meanwhile, and reports the
  /// progress.
  func wait() {
    var reports = progressReports
    let isWanted = !options.workers.isEmpty && options.verbosity != .quiet
    var greetings = GreetingWait(from: MonotonicClock.now, isWanted: isWanted)
    var opening: Int64? = MonotonicClock.now + RunDoor.delay
    while awaitLines(&reports, &greetings, &opening) {
      flow.waitUntilOver(until: MonotonicClock.now + LineGatherer.period)
      readers.flush()
    }
    steering.finish()
    followed.finish()
    door.withLock { $0?.close() }
  }

  /// Waits until lines are gathered; false when the coordinator has ended.
  private func awaitLines(
    _ reports: inout ProgressReports?,
    _ greetings: inout GreetingWait,
    _ opening: inout Int64?
  ) -> Bool {
    while let next = [reports?.nextAt, greetings.nextAt, opening].compactMap({ $0 }).min(),
      !flow.waitForLines(until: next)
    {
      let now = MonotonicClock.now
      if reports?.isDue(at: now) == true { sayProgress() }
      if greetings.nextAt.map({ $0 <= now }) == true { fleet.tellWait(&greetings, at: now) }
      if let time = opening, time <= now {
        opening = nil
        openDoor()
      }
    }
    return flow.takeLines()
  }

  /// Whether nothing that is submitted from now on would begin.
  var isEnding: Bool { control.earlyExitCode != nil || flow.isOver }

  /// Waits until there is room for more operations; false if no more are wanted.
  func wantsInput() -> Bool {
    // As many as may wait are in their random order.
    if order != nil, flow.isFull { control.resume(for: .order) }
    return flow.waitForRoom()
  }

  /// Waits until everything that was submitted has settled; false if no more operations are wanted.
  func waitUntilSettled() -> Bool {
    if order != nil { control.resume(for: .order) }
    return flow.waitUntilSettled()
  }

  /// Everything was submitted: the run ends when all operations have settled.
  func endInput() {
    if let id = journal?.unknownRerun {
      refuseInput("opool: \(JournalOptions.complaint(of: id))", as: .usage)
    }
    runProgress.setOpen(false)
    flow.endInput()
    if order != nil { control.resume(for: .order) }
    // Only now is it known of how many operations a percentage is.
    haltIfReached()
    control.closeIfAtRest()
  }

  /// The rest of the input is invalid: reports that, and ends the run when the earlier operations
  /// have settled.
  func refuseInput(_ reason: String, as code: ExitCode) {
    printer.say(Array((reason + "\n").utf8))
    flow.noteInputFailure(code)
  }

  /// An operation has settled; its input is no longer needed.
  func countSettled(_ operation: Int) {
    flow.remove(byteCount: workload.release(operation))
  }

  /// The user, a shell or a terminal has sent a signal.
  func receive(_ signal: ProcessSignal) {
    switch signal {
    case .user1 where signal != control.drainSignal: return sayStatus()
    case .stopTerminal, .quit: printer.options.progress?.hide()
    case .continue: printer.options.progress?.unhide()
    default: break
    }
    let isRepeated = control.isEnding
    control.receive(signal)
    if signal == control.drainSignal {
      guard !isRepeated else { return }
      say("\(signal): what executes is finished, and nothing else begins", always: true)
    } else if signal == .hangUp {
      say("hung up: what executes is finished, and nothing else begins", always: true)
    } else if signal == .interrupt, !isRepeated, Descriptors.isTerminal(2) {
      say("interrupted: what executes is asked to end; Ctrl-C again kills it")
    }
  }

  /// Prints what executes, at any verbosity: the user has asked.
  private func sayStatus() {
    let report = statusReport
    let lines = report.lines.map { "opool: \($0)\n" }.joined()
    printer.say(options.printsJSON ? report.json : Array(lines.utf8))
  }

  /// How far the run is, and what executes.
  var statusReport: StatusReport {
    let (endings, now) = (control.engine.endings, control.engine.now)
    var (progress, executions) = runProgress.status(
      at: now,
      id: workload.id(of:),
      label: workload.label(of:)
    ) { number in endings[number].map { Standing.Ending($0, at: now) } }
    let processes = workerProcesses.withLock { $0 }
    for place in executions.indices {
      let worker = UInt32(executions[place].worker).map { WorkerID(rawValue: $0) }
      executions[place].process = worker.flatMap { processes[$0] }
    }
    progress.oldest = executions.prefix(IdleReason.namedLimit).map {
      ProgressSnapshot.Execution(label: $0.label, elapsed: $0.elapsed)
    }
    let slots = slotFacts
    progress.idle = IdleSlots(slots, progress)
    progress.oldest = []
    let words = CurrentProcess.arguments.map { Printable.name($0) }.joined(separator: " ")
    return StatusReport(
      process: CurrentProcess.identifier,
      command: "opool \(words)",
      progress: progress,
      slots: slots,
      executions: executions
    )
  }

  /// How the slots are used now.
  private var slotFacts: SlotFacts {
    SlotFacts(of: workload, control, runProgress.executions, control.placeStates, gate)
  }

  func deadlinePassed() {
    control.readers.end()
    say("the deadline has passed", always: true)
    control.end(as: .deadline)
  }

  /// Number of operations of the whole run; nil while more may come.
  var total: Int? { flow.isFed ? workload.count : nil }

  /// Nothing was left in the queue: the run ends, unless more has been, or may be, submitted.
  func becameIdle() {
    if flow.isFed || control.earlyExitCode != nil { control.closeIfAtRest() }
  }

  /// All workers are gone.
  func stopped() {
    gate?.close()
    hosts?.close()
    allocation?.close()
    flow.close()
  }

  /// Prints a message for people, unless the run is quiet, or only if it is verbose.
  func say(_ text: String, always: Bool = false, verbose: Bool = false) {
    messages.say(text, always: always, verbose: verbose)
  }

  var takesRemarks: Bool { messages.takesRemarks }

  func useOfOutput(of operation: OperationID) -> OutputUse { printing.useOfOutput(of: operation) }

  /// The name as text that is safe to print.
  func label(_ operation: Int) -> String { Printable.name(workload.title(of: operation)) }

  /// The group with this identifier; nil for an operation.
  func group(_ operation: OperationID) -> Int? {
    guard workload.groupCount > 0, operation.number >= workload.count else { return nil }
    return operation.number - workload.count
  }
}

// MARK: - Reports about the progress

extension RunSession {
  /// When the run reports its progress; nil if it does not.
  private var progressReports: ProgressReports? {
    let choice = ProgressReports.Choice(
      request: options.progressInterval,
      isQuiet: options.verbosity == .quiet,
      declinesProgress: options.progress == .hidden,
      hasProgressLine: options.showsProgress,
      isErrorTerminal: options.hasLiveTerminal
    )
    return choice.interval.map { ProgressReports(every: $0, from: MonotonicClock.now) }
  }

  /// Reports the progress, if anything executes.
  private func sayProgress() {
    let places = control.placeStates
    var snapshot = runProgress.snapshot(
      at: control.engine.now,
      places: { places },
      oldest: ProgressSnapshot.namedCount,
      label: workload.label(of:)
    )
    let isLost = places.contains { $0.restartsIn != nil }
    guard snapshot.executing + snapshot.starting > 0 || isLost else { return }
    if snapshot.starting == 0 || isLost { snapshot.idle = IdleSlots(slotFacts, snapshot) }
    if options.printsJSON { printer.say(snapshot.json) } else { say(snapshot.report, always: true) }
  }
}
