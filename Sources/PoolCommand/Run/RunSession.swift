import OperationPool
import PoolCore
import PoolJournal
import PoolModel
import PoolSystem
import PoolWire
import Synchronization

/// One run of a workload: submits it, and turns the coordinator's calls into outputs, results and
/// messages.
///
/// Methods of the client run on the coordinator's thread; the others on the thread that began the
/// run, or on one that produces its operations.
final class RunSession: EngineClient {
  let workload: any Workload
  let options: SharedOptions
  let control: RunControl
  let printer: Printer
  let runProgress: RunProgress
  let state: Mutex<State>
  private let knownSubmission: Mutex<WorkloadSubmission>
  let journal: RunJournal?
  /// The folder that outputs go to, instead of the streams.
  let folder: ResultsFolder?
  /// Whether results are written, to a file or a folder, and a job log.
  let hasResults: Bool
  let hasJobLog: Bool
  /// Lets operations start one by one; nil if they may start as soon as there are workers.
  let gate: StartGate?
  /// What is added to commands.
  let defaults: CommandDefaults?
  /// The random order of starts, if they have one.
  let order: StartOrder?
  /// The operations whose outputs are inputs of others, if that matters.
  let sources: Set<Int>
  /// Nanoseconds from 1970 to the start of the run.
  let runStart: Int64
  /// Distinguishes the run from others if there is no journal.
  let identifier = RunIdentifier()
  /// What its threads wait for.
  let flow = RunFlowControl()
  /// Operations that have ended, while outputs are being stored.
  let endings: EndingQueue

  /// The results of a run so far.
  struct State {
    var summary = Summary()
    /// The operations that were executed in this run.
    var tally = HaltPolicy.Tally()
    var results: ResultsFile?
    var jobLog: JobLog?
    /// Why outputs could not be put into the folder of results.
    var folderFailure: ResultsFolder.Failure?
    /// The ending of each operation, or group, by number; 255 before it has ended.
    var endings: [UInt8] = []
    /// Whether an operation could not be executed because no worker stayed alive.
    var lacksWorkers = false
    /// Number of operations that an earlier run executed whose outputs are not in the folder.
    var absentOutputs = 0
    /// Whether an output or the results could not be kept.
    var hasLostOutput = false
    /// The exit code of a run whose input could not be read to the end.
    var inputFailure: ExitCode?
    /// Expected durations, if they matter for the order.
    var durations: ExpectedDurations?
    /// The message about a shortage of workers, until it is known whether any can be started.
    var shortageMessage = ShortageMessage()
    /// Messages of workers with an unknown type.
    var unknown = RepeatedMessages()
    /// Workers that could not be started, or broke the protocol.
    var deaths = RepeatedDeaths()
    /// Lines that standard workers have written about themselves.
    var workerLines: Set<[UInt8]> = []
    /// Number of remarks of workers and operations that were not printed.
    var droppedRemarks = 0
    var live = LiveOutputs()
    /// Whether operations may run: only after it is known that every kind is served.
    var isFleetChecked = false
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
    results: sending ResultsFile?,
    jobLog: sending JobLog? = nil,
    folder: ResultsFolder? = nil
  ) {
    self.workload = workload
    self.options = options
    self.control = control
    self.printer = printer
    self.runProgress = runProgress
    state = Mutex(State(results: results, jobLog: jobLog, durations: durations))
    self.journal = journal
    self.folder = folder
    hasResults = options.results != nil || folder != nil
    hasJobLog = options.jobLog != nil
    self.gate = gate
    defaults = CommandDefaults(options.starts)
    order = StartOrder(options)
    endings = EndingQueue { [control] isStoring in
      if isStoring { return control.readers.note(startOf: .storage) }
      control.readers.note(endOf: .storage)
      control.engine.takeTurn()
    }
    sources = options.display.isLive ? Self.sources(in: workload) : []
    runStart = WallClock.nanoseconds.saturatingDifference(control.engine.now.nanoseconds)
    knownSubmission = Mutex(WorkloadSubmission(workload, options, control, journal))
  }

  /// The operations in the form that the engine takes.
  var submission: WorkloadSubmission { knownSubmission.withLock { $0 } }

  /// Submits operations in order; they are numbered as in the workload.
  ///
  /// The bytes are those of their inputs that `Workload.release(_:)` frees.
  func submit(_ operations: Range<Int>, byteCount: Int = 0) {
    guard !operations.isEmpty else { return }
    journal?.expect(operations, of: workload)
    folder?.expect(operations, of: workload)
    let ranks = state.withLock { state in
      let count = operations.count + workload.groupCount
      state.endings.append(contentsOf: repeatElement(UInt8.max, count: count))
      return order?.ranks(of: operations)
        ?? state.durations?.ranks(of: operations, of: workload, journal)
    }
    flow.add(operations.count, byteCount: byteCount)
    runProgress.expect(operations.count)
    // The end of a run cancels all operations under the engine's lock; none may be added after
    // that.
    let submission = knownSubmission.withLock { submission in
      submission.declare(to: control.engine)
      return submission
    }
    control.engine.submit(operations, of: submission, by: ranks, to: control.queue) {
      control.earlyExitCode == nil
    }
    gate?.noteSubmission()
  }

  /// Waits until the coordinator has ended; writes gathered lines of results meanwhile.
  func wait() {
    var reports = progressReports
    let isWanted = !options.workers.isEmpty && options.verbosity != .quiet
    var greetings = GreetingWait(from: MonotonicClock.now, isWanted: isWanted)
    while awaitLines(&reports, &greetings) {
      flow.waitUntilOver(until: MonotonicClock.now + ResultsFile.period)
      writing { $0.results?.flush() }
    }
  }

  /// Waits until lines of results are gathered; false when the coordinator has ended.
  private func awaitLines(
    _ reports: inout ProgressReports?,
    _ greetings: inout GreetingWait
  ) -> Bool {
    while let next = [reports?.nextAt, greetings.nextAt].compactMap({ $0 }).min(),
      !flow.waitForLines(until: next)
    {
      let now = MonotonicClock.now
      if reports?.isDue(at: now) == true { sayProgress() }
      if greetings.nextAt.map({ $0 <= now }) == true { tellWait(&greetings, at: now) }
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
    state.withLock { $0.inputFailure = code }
  }

  /// An operation has settled; its input is no longer needed.
  func countSettled(_ operation: Int) {
    flow.remove(byteCount: workload.release(operation))
  }

  /// The user, a shell or a terminal has sent a signal.
  func receive(_ signal: ProcessSignal) {
    switch signal {
    case .user1: return sayStatus()
    case .stopTerminal, .quit: printer.options.progress?.hide()
    case .continue: printer.options.progress?.unhide()
    default: break
    }
    let isRepeated = control.earlyExitCode != nil
    control.receive(signal)
    if signal == .hangUp {
      say("hung up: what executes is finished, and nothing else begins", always: true)
    } else if signal == .interrupt, !isRepeated, Descriptors.isTerminal(2) {
      say("interrupted: what executes is asked to end; Ctrl-C again kills it")
    }
  }

  /// Prints what executes, at any verbosity: the user has asked.
  private func sayStatus() {
    let now = control.engine.now
    let report = runProgress.status(at: now, id: workload.id(of:), label: workload.actionText(of:))
    let lines = report.lines.map { "opool: \($0)\n" }.joined()
    printer.say(options.printsJSON ? report.json : Array(lines.utf8))
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
    flow.close()
  }

  /// Prints a message for people, unless the run is quiet, or only if it is verbose.
  func say(_ text: String, always: Bool = false, verbose: Bool = false) {
    let isWanted = options.verbosity != .quiet && (!verbose || options.verbosity == .verbose)
    if isWanted || always { printer.say(Array("opool: \(Printable.lines(text))\n".utf8)) }
  }

  /// False while too much waits to be printed, which makes workers with remarks wait; true again
  /// when the run must end.
  var takesRemarks: Bool { control.earlyExitCode != nil || !printer.isHolding }

  /// Prints a remark of an operation, unless the run is quiet.
  func remark(_ text: String) {
    if options.verbosity != .quiet { remark(Array("opool: \(text)\n".utf8)) }
  }

  /// Prints a remark of a worker; counts it instead if no worker can be made to wait.
  func remark(_ bytes: [UInt8]) {
    guard control.earlyExitCode != nil, printer.isHolding else { return printer.say(bytes) }
    state.withLock { $0.droppedRemarks += 1 }
  }

  /// The name as text that is safe to print.
  func label(_ operation: OperationID) -> String {
    Printable.name(workload.name(of: operation.number))
  }

  /// The group with this identifier; nil for an operation.
  func group(_ operation: OperationID) -> Int? {
    guard workload.groupCount > 0, operation.number >= workload.count else { return nil }
    return operation.number - workload.count
  }
}
