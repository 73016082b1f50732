import OperationPool
import PoolInputs
import PoolModel
import PoolReports
import PoolSystem

/// The parts of a run that its readers share.
struct RunParts: Sendable {
  let workload: any Workload
  let options: SharedOptions
  let control: RunControl
  let identity: RunIdentity
  let messages: RunMessages
  let printing: OutputPrinting
  let progress: RunProgress
  let halt: HaltWatch?
  /// What the report of the run is made of; nil without one.
  let history: HistoryReader?
  /// What a file of JUnit's XML is made of; nil without one.
  let junit: JUnitReader?
  /// What GitHub's runner is told; nil where it is told nothing.
  let github: GitHubReader?
  /// Keeps records that no option asks for.
  let kept: KeptRun?
  /// What a live block shows beside counts; nil without one.
  var watch: RunWatch?
  let flow = RunFlowControl()

  init(
    _ workload: any Workload,
    _ options: SharedOptions,
    _ control: RunControl,
    _ printer: Printer,
    _ progress: RunProgress,
    _ journal: RunJournal?,
    _ folder: ResultsFolder?
  ) {
    (self.workload, self.options, self.control) = (workload, options, control)
    self.progress = progress
    identity = RunIdentity(since: control.engine.now, journal)
    messages = RunMessages(options.verbosity, control, printer)
    printing = OutputPrinting(
      workload,
      options.display,
      keepsOrder: options.keepsOrder,
      control,
      printer,
      groupsFailures: options.ci == .github,
      hasFolder: folder != nil,
      keepsOutputs: journal != nil || options.junit != nil
    )
    halt = HaltWatch(options.halt)
    let now: @Sendable () -> Instant = { [engine = control.engine] in engine.now }
    history = options.report == nil ? nil : HistoryReader(now: now)
    junit = options.junit == nil ? nil : JUnitReader(workload, runStart: identity.start)
    github = GitHubReader(workload, options, showsEnd: !printing.showsFailures, printer)
    kept = KeptRun(KeptRunChoice.current, from: identity.start, now: now)
  }
}

extension GitHubReader {
  /// Makes what tells GitHub's runner of failures, if the user wants that.
  fileprivate convenience init?(
    _ workload: any Workload,
    _ options: SharedOptions,
    showsEnd: Bool,
    _ printer: Printer
  ) {
    guard options.ci == .github else { return nil }
    let choice = Choice(isQuiet: options.verbosity == .quiet, showsEnd: showsEnd)
    self.init(workload, GitHubPlaces(.current), choice, printer)
  }
}
