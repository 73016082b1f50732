import OperationPool
import PoolAnalysis
import PoolEvents
import PoolInputs
import PoolJournal
import PoolModel
import PoolReports
import PoolSystem

// The end of a run: completes outputs, results and journal, and reports the summary.

extension WorkloadRun {
  /// Waits until everything is written, reports the summary, and returns the exit code.
  ///
  /// It waits for the readers of its streams as long as ``SlowReaderPolicy`` allows.
  static func finish(_ session: RunSession, _ options: SharedOptions) -> ExitCode {
    let control = session.control
    if let deadline = options.deadline {
      control.readers.end(in: deadline - control.engine.now.nanoseconds)
    }
    var lines: [String] = []
    if !session.finishEndings(), endByDeadline(session) {
      lines.append("opool: the deadline has passed")
    }
    // The standard output is closed before the exit code is final.
    session.end(as: control.earlyExitCode ?? session.exitCode, onSharedStreams: true)
    let unprinted = finishOutputs(of: session, &lines)
    lines += incidents(of: session) + summary(of: session, options)
    if unprinted > 0, control.earlyExitCode != .closedOutput {
      lines.append(session.readers.summary.unprintedLine(unprinted))
    }
    if options.verbosity != .quiet, let warning = control.tokens?.warning { lines.append(warning) }
    let hasRecords = finishRecords(of: session, &lines)
    let hasJournal = finishJournal(of: session, &lines)
    if hasJournal, let line = continuationLine(of: session) { lines.append(line) }
    lines = lines.map(options.forLog)
    if let rest = session.github?.rest { lines.append(rest) }
    if let first = lines.first { lines[0] = session.printer.begun(first) }
    let delivery = FinalLines.say(lines, control.readers)
    if delivery == .unread { endByDeadline(session) }
    if delivery != .written {
      session.readers.noteUnprinted(unprinted, run: session.journal?.runIdentifier)
    }
    let code = exitCode(of: session, isStored: hasRecords && hasJournal, delivery)
    return finishEvents(of: session, endingAs: code)
  }

  /// Tells the readers that the run has ended, and waits until that is written; returns the exit
  /// code, which a failure may change.
  private static func finishEvents(of session: RunSession, endingAs code: ExitCode) -> ExitCode {
    session.end(as: code, onSharedStreams: false)
    var lines: [String] = []
    let isStored = finish(session.readers.close(takingEnd: true), of: session, &lines)
    let hasReport = writeReport(of: session, &lines)
    let hasCases = writeJUnit(of: session, &lines)
    writeStepSummary(of: session, &lines)
    if let line = session.kept?.finish(within: recordsGrace), session.options.verbosity == .verbose
    {
      lines.append("opool: \(line)")
    }
    _ = FinalLines.say(lines.map(session.options.forLog), session.control.readers)
    // A target that may block tells its failure by ending the run.
    if let early = session.control.earlyExitCode, early != .success { return early }
    return isStored && hasReport && hasCases ? code : .output
  }

  /// Writes the page of `--report`; returns whether there was no failure.
  private static func writeReport(of session: RunSession, _ lines: inout [String]) -> Bool {
    guard let target = session.options.report, let history = session.history else { return true }
    let page = PageReport.page(
      of: RunAnalysis(onAllProcessors: history.history),
      PageOptions(name: session.workload.file ?? target)
    )
    do throws(RunFailure) {
      _ = try ReportPage.write(page, to: target)
      return true
    } catch {
      lines.append("opool: \(error.message)")
      return false
    }
  }

  /// Writes the file of `--junit`; returns whether there was no failure.
  private static func writeJUnit(of session: RunSession, _ lines: inout [String]) -> Bool {
    guard let target = session.options.junit, let junit = session.junit else { return true }
    do throws(SystemFailure) {
      try WholeFile.replace(target, with: junit.document(at: session.control.engine.now))
      return true
    } catch {
      lines.append("opool: \(Printable.text(target)): \(error.reason)")
      return false
    }
  }

  /// Adds the run to the summary of a step of a GitHub workflow.
  ///
  /// The log has all of it, too, so a failure is only told.
  private static func writeStepSummary(of session: RunSession, _ lines: inout [String]) {
    let elapsed = session.control.engine.now.nanoseconds
    let summary = session.readers.summary
    guard let line = session.github?.writeSummary(of: summary, elapsed: elapsed) else { return }
    lines.append("opool: \(line)")
  }

  private static func exitCode(
    of session: RunSession,
    isStored: Bool,
    _ delivery: FinalLines.Delivery
  ) -> ExitCode {
    let early = session.control.earlyExitCode
    // A run that was halted by a success has still failed if the success could not be stored.
    if let early, early != .success { return early }
    guard isStored else { return .output }
    if case .failed(let failure) = delivery, failure.preventsGrowth { return .output }
    return early ?? session.exitCode
  }

  /// What went wrong beside operations: remarks that were dropped, deaths, and outputs that a
  /// folder of results lacks.
  private static func incidents(of session: RunSession) -> [String] {
    let dropped = session.messages.droppedCount
    var lines = session.fleet.deathLines
    if dropped > 0 {
      let word = dropped == 1 ? "remark" : "remarks"
      lines.insert("opool: \(word) of workers not printed: \(dropped)", at: 0)
    }
    if let absence = session.folder?.absence { lines.append(absence) }
    return lines
  }

  /// Ends the journal; returns whether there was no failure.
  private static func finishJournal(of session: RunSession, _ lines: inout [String]) -> Bool {
    let failures = syncTargets(of: session)
    lines += failures
    let code = session.control.earlyExitCode ?? session.exitCode
    session.book?.take(.runEnded(RunEnded(exitCode: code.rawValue)))
    if let failure = endJournal(of: session) {
      lines.append(failure)
      return false
    }
    if session.control.earlyExitCode != .closedOutput, let line = keptLine(of: session) {
      lines.append(line)
    }
    return failures.isEmpty
  }

  /// Waits until the disk has what was written to targets, or the run must end; returns a line for
  /// each target of which it may lack something.
  private static func syncTargets(of session: RunSession) -> [String] {
    guard let journal = session.journal else { return [] }
    let readers = session.control.readers
    journal.finishTargets { readers.note(endOf: .syncs) }
    _ = readers.wait(for: .syncs, since: MonotonicClock.now, grace: recordsGrace)
    return journal.endTargets().map { role, failure in
      "opool: \(role.name) may not be on the disk: \(failure)"
    }
  }

  private static func summary(of session: RunSession, _ options: SharedOptions) -> [String] {
    let early = session.control.earlyExitCode
    guard early != .closedOutput, early != .manifest else { return [] }
    let elapsed = session.control.engine.now.nanoseconds
    let summary = session.readers.summary
    if options.printsJSON {
      return [String(decoding: summary.json(elapsed: elapsed).dropLast(), as: UTF8.self)]
    }
    return summary.lines(
      manifest: session.workload.file,
      elapsed: elapsed,
      verbosity: options.verbosity,
      listed: session.folder == nil && options.results != Array("-".utf8) ? options.results : nil
    )
  }

  /// Waits until the outputs are printed; returns the number of those that were not.
  private static func finishOutputs(of session: RunSession, _ lines: inout [String]) -> Int {
    let (printer, control) = (session.printer, session.control)
    session.readers.flush()
    printer.close()
    let isPrinted = control.readers.wait(for: .outputs, since: MonotonicClock.now) {
      let count = printer.unprintedCount
      guard count > 0 else { return }
      let outputs = "\(count) output\(count == 1 ? " waits" : "s wait")"
      FinalLines.say(
        printer.begun(
          "opool: the standard output is not read: \(outputs) to be printed; "
            + "interrupt again to drop unread output"
        )
      )
    }
    if !isPrinted {
      endByDeadline(session)
      // The printer may have been blocked until then.
      if control.earlyExitCode == .deadline { lines.append("opool: the deadline has passed") }
    }
    return printer.abandon()
  }

  /// The run no longer waits for readers; if nothing else has ended it, its deadline has.
  @discardableResult
  private static func endByDeadline(_ session: RunSession) -> Bool {
    guard session.control.earlyExitCode == nil else { return false }
    session.control.end(as: .deadline)
    return true
  }

  /// Waits until results, job log and other lines of outcomes are written; returns whether there
  /// was no failure.
  private static func finishRecords(
    of session: RunSession,
    _ lines: inout [String]
  ) -> Bool {
    let failure = session.folder?.failure
    if let failure { lines.append("opool: \(failure)") }
    let isStored = finish(session.readers.close(takingEnd: false), of: session, &lines)
    return isStored && failure == nil
  }

  /// Waits until lines are written to their targets; returns whether there was no failure.
  private static func finish(
    _ ends: [LineSink.End],
    of session: RunSession,
    _ lines: inout [String]
  ) -> Bool {
    for end in ends {
      if let failure = end.failure { lines.append("opool: \(end.target): \(failure.reason)") }
      let readers = session.control.readers
      let start = MonotonicClock.now
      if !end.hasThread || readers.wait(for: .lines(end.lines), since: start, grace: recordsGrace) {
        continue
      }
      if endByDeadline(session) { lines.append("opool: the deadline has passed") }
      lines.append(
        "opool: \(end.target): not all lines of \(end.lines.name) were written: they are not read"
      )
    }
    return ends.allSatisfy { $0.failure == nil }
  }

  /// Nanoseconds for the reader of results when the run must end: 250 ms.
  private static let recordsGrace = Int64.milliseconds(250)
}

extension RunSession {
  /// The exit code of a run that was not made to end early.
  fileprivate var exitCode: ExitCode {
    let summary = readers.summary
    if summary.lacksWorkers { return .workers }
    if control.hasDroppedOutput { return .output }
    return flow.inputFailure ?? summary.exitCode
  }

  fileprivate func end(as code: ExitCode, onSharedStreams isShared: Bool) {
    readers.end(RunEnded(exitCode: code.rawValue), onSharedStreams: isShared)
  }
}
