import OperationPool
import PoolInputs
import PoolJournal
import PoolReports
import PoolSystem

// The session of a run, with its files and its printer.

extension WorkloadRun {
  /// Opens the history, the journal and all targets.
  static func makeSession(
    _ workload: any Workload,
    _ options: SharedOptions,
    _ limits: RunLimits,
    _ targets: RunTargets,
    _ preparation: RunPreparation,
    hasProducer: Bool
  ) throws -> RunSession {
    let control = limits.control
    let (durations, journal, starts) = try openRecords(options, control, targets, preparation)
    let runProgress = RunProgress(options.showsProgress ? RunForecast(workload) : nil)
    runProgress.setOpen(hasProducer)
    let screen = RunScreen(workload, options, control, runProgress, limits.gate)
    var printing = printing(options, control, screen)
    if let journal {
      printing.printed = { journal.notePrinted($0) }
      printing.wroteLines = { journal.note($0.operations, by: $0.role) }
    }
    let printer = try Printer(printing)
    return RunSession(
      workload,
      options,
      control,
      printer,
      runProgress,
      journal,
      durations: durations,
      gate: limits.gate,
      hosts: limits.hosts,
      watch: screen?.watch,
      sinks: try targets.openSinks(starts, control, journal, beside: printer),
      folder: targets.folder
    )
  }

  /// Opens the history and the journal, and decides how targets begin; if that fails, nothing stays
  /// of the targets that is new.
  private static func openRecords(
    _ options: SharedOptions,
    _ control: RunControl,
    _ targets: RunTargets,
    _ preparation: RunPreparation
  ) throws -> (ExpectedDurations?, RunJournal?, [TargetLines: TargetStart]) {
    do {
      preparation.enter(.history)
      let durations = try durations(options)
      preparation.enter(.journal)
      let journal = try openJournal(options, control)
      return (durations, journal, try targets.starts(journal, options))
    } catch {
      targets.discard()
      throw error
    }
  }

  private static func durations(_ options: SharedOptions) throws(RunFailure) -> ExpectedDurations? {
    do throws(JournalError) {
      return try ExpectedDurations(options)
    } catch {
      throw RunFailure(.output, error.message)
    }
  }

  private static func printing(
    _ options: SharedOptions,
    _ control: RunControl,
    _ screen: RunScreen?
  ) -> Printer.Options {
    var printing = Printer.Options()
    printing.keepsOrder = options.keepsOrder
    printing.lineLimit = options.display.lineLimit
    let environment = ProcessEnvironment.current
    let features = TerminalFeatures { name in
      environment.value(of: name).map { String(decoding: $0, as: UTF8.self) }
    }
    printing.breaksCommands = options.ci == .github
    var text: ProgressLine.Text?
    if let screen { text = { screen.text(in: $0) } }
    printing.progress = ProgressLine(on: printing.error, features: features, text)
    printing.hungUp = { control.loseTerminal() }
    printing.lost = { control.noteDroppedOutput() }
    printing.suspend = { control.change(.printer, $0) }
    printing.ended = { control.readers.note(endOf: .outputs) }
    printing.failed = { failure in
      control.end(as: failure.isClosedPipe ? .closedOutput : .output)
      guard !failure.isClosedPipe else { return }
      options.complain("opool: \(failure.stream): \(failure.failure.reason)")
    }
    return printing
  }
}
