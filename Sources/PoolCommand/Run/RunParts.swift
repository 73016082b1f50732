import OperationPool
import PoolInputs
import PoolModel
import PoolReports

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
  /// The records that are kept although nobody has asked for them.
  let kept: KeptRun?
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
      hasFolder: folder != nil,
      hasJournal: journal != nil
    )
    halt = HaltWatch(options.halt)
    let now: @Sendable () -> Instant = { [engine = control.engine] in engine.now }
    history = options.report == nil ? nil : HistoryReader(now: now)
    kept = KeptRun(KeptRunChoice.current, from: identity.start, now: now)
  }
}
