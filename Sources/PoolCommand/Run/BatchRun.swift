import Foundation
import OperationPool
import PoolCore
import PoolJournal
import PoolModel
import PoolSystem
import PoolWire
import Synchronization

/// Executes a batch: makes the parts of a run, waits for its end, and reports the summary.
enum BatchRun {
  /// Executes a batch, or the operations that a feeder adds while it runs.
  static func execute(
    _ batch: any Batch,
    _ options: SharedOptions,
    _ preparation: RunPreparation,
    from manifest: FileIdentity? = nil,
    feeder: (any BatchFeeder)? = nil
  ) -> ExitCode {
    let options = options.afterWaiting(preparation.elapsed)
    do {
      var files = try RunFiles(reading: manifest, batch.file, inputs: feeder?.files ?? [])
      let session = try begin(batch, options, preparation, &files, feeder)
      return finish(session, options)
    } catch let error as JournalError {
      CurrentProcess.complain(text(error, options))
      return .output
    } catch let error as SharedFileError {
      CurrentProcess.complain("opool: \(error.message)")
      return .usage
    } catch let failure as RunFailure {
      CurrentProcess.complain("opool: \(failure.message)")
      return failure.code
    } catch {
      CurrentProcess.complain("opool: \(error)")
      return .workers
    }
  }

  /// Why a run could not begin.
  struct RunFailure: Error {
    var code: ExitCode
    var message: String

    init(_ code: ExitCode, _ message: String) {
      self.code = code
      self.message = message
    }
  }

  /// Address space that a run needs beside its operations, mostly for the stacks of threads: 56
  /// MiB.
  ///
  /// With less, Foundation starts no worker and reports no error.
  private static let leastMemory = 56 << 20

  /// Throws if the limit on memory leaves no room for a run.
  private static func checkMemory() throws(RunFailure) {
    ProcessMemory.spare()
    do throws(SystemFailure) {
      try ProcessMemory.demand(leastMemory)
    } catch {
      let need = "a run needs \(leastMemory >> 20) MiB of address space"
      throw RunFailure(.workers, "\(need), and the limit on it leaves less; raise it (ulimit -v)")
    }
  }

  /// Reports the folder of temporary files if it is not the one that the user wants.
  private static func checkTemporaryFiles(_ options: SharedOptions) throws(RunFailure) {
    do throws(SystemFailure) {
      guard let (obstacle, place) = try TemporaryFile.detour(), options.verbosity != .quiet else {
        return
      }
      CurrentProcess.complain("opool: TMPDIR: \(obstacle); temporary files lie in \(place) instead")
    } catch {
      let advice = "set it to a folder that can be written"
      throw RunFailure(.output, "TMPDIR: no temporary file can be made, \(advice): \(error)")
    }
  }

  private static func begin(
    _ batch: any Batch,
    _ options: SharedOptions,
    _ preparation: RunPreparation,
    _ files: inout RunFiles,
    _ feeder: (any BatchFeeder)?
  ) throws -> RunSession {
    preparation.enter(.folders)
    if feeder == nil { try options.journal.demandReruns(in: batch) }
    try checkMemory()
    try StartFolders.prepare(options)
    try checkTemporaryFiles(options)
    let parentTokens = JobTokens.connect(options)
    let jobs = parentTokens == nil ? nil : options.starts.jobserver.jobs
    preparation.enter(.width)
    let width = try RunWidth(options.width, jobs: jobs)
    let tokens = try parentTokens ?? JobTokens.serve(width.atStart, options)
    var chaos = options.chaos
    chaos?.seed = options.seed ?? 0
    let workers = try fleet(batch, options, width, tokens)
    let control = RunControl(workers, policy(options), chaos: chaos, tokens: tokens)
    let gate = StartGate(options, width, control)
    try gate?.check()
    let runProgress = RunProgress(options.showsProgress ? RunForecast(batch) : nil)
    runProgress.setOpen(feeder != nil)
    preparation.enter(.targets)
    let targets = try RunTargets(options, for: batch, preparation, &files)
    let durations: ExpectedDurations?
    let journal: RunJournal?
    do {
      preparation.enter(.history)
      durations = try self.durations(options)
      preparation.enter(.journal)
      journal = try openJournal(options, control)
    } catch {
      targets.discard()
      throw error
    }
    var printing = printing(batch, options, control, runProgress)
    if let journal { printing.printed = { journal.note($0, by: .streams) } }
    let printer = try Printer(printing)
    let results = try targets.openResults(control, journal, beside: printer)
    let jobLog = try targets.openJobLog(control, beside: printer)
    let session = RunSession(
      batch,
      options,
      control,
      printer,
      runProgress,
      journal,
      durations: durations,
      gate: gate,
      results: results,
      jobLog: jobLog,
      folder: targets.folder
    )
    if let remark = width.remark { session.say(remark, verbose: true) }
    if let seed = session.order?.seed { session.say("--shuf: the seed is \(seed)", verbose: true) }
    if !options.workers.isEmpty, !options.starts.passed.isEmpty {
      session.say("--pass-fd: only commands in opool's own workers get it")
    }
    for warning in journal?.warnings ?? [] {
      session.say("\(Printable.text(options.journal.path ?? [])): \(warning)")
    }
    let inbox = try SignalInbox(RunControl.signals)
    try inbox.listen { session.receive($0) }
    preparation.end()
    if let deadline = options.deadline {
      control.limit(to: max(deadline - control.engine.now.nanoseconds, 0))
    }
    // The standard worker's kinds are known; other workers must announce theirs before anything
    // runs.
    if !options.workers.isEmpty { control.suspend(for: .fleet, while: { true }) }
    if feeder != nil, session.order != nil { control.suspend(for: .order, while: { true }) }
    session.submit(0..<batch.count)
    do {
      try gate?.open(for: session)
      try control.engine.run(for: session)
    } catch {
      gate?.close()
      throw error
    }
    if let feeder { try feeder.start(for: session) } else { session.endInput() }
    session.wait()
    return session
  }

  private static func durations(_ options: SharedOptions) throws(RunFailure) -> ExpectedDurations? {
    do throws(JournalError) {
      return try ExpectedDurations(options)
    } catch {
      throw RunFailure(.output, error.message)
    }
  }

  private static func policy(_ options: SharedOptions) -> PoolPolicy {
    var policy = PoolPolicy()
    if let teardown = options.teardown { policy.teardown = teardown }
    policy.relativeTimeout = options.relativeTimeout
    if let heartbeat = options.heartbeat {
      policy.heartbeatInterval = heartbeat
      policy.heartbeatLimit = heartbeat
      policy.frameTimeout = heartbeat
      policy.startTimeout = min(policy.startTimeout / 2, heartbeat) * 2
    }
    // Deaths of workers by injected faults do not blame their operations; each such death costs an
    // attempt, so their number is limited. A worker that dies before it has begun anything was not
    // hit on purpose, but with so many deaths a few more of these are allowed.
    if options.chaos != nil {
      policy.quarantineLimit = .max
      policy.restartLimit = 20
    }
    return policy
  }

  /// The user's workers, and the standard ones for commands: beside the user's workers, only if all
  /// of those have announced that they do not serve commands.
  private static func fleet(
    _ batch: any Batch,
    _ options: SharedOptions,
    _ width: RunWidth,
    _ tokens: JobTokens?
  ) throws -> [PoolWorkerConfiguration] {
    let own = options.workers.map { request in
      PoolWorkerConfiguration.command(
        String(decoding: request.command, as: UTF8.self),
        count: request.count
      )
      .asEager.holding(journal: options.journal.path)
    }
    guard batch.kindNames.contains(CommandPayload.kind) else { return own }
    let ends = tokens?.ends.map { [$0.read, $0.write] } ?? []
    var standard = try PoolWorkerConfiguration.standard(count: width.workers)
      .holding(journal: options.journal.path)
      .passing(options.starts.passed + ends)
    if options.display.isUngrouped { standard = standard.inheriting(try ownStreams()) }
    return own + [own.isEmpty ? standard : standard.asReserve]
  }

  /// Copies of this process's output streams, which workers inherit.
  private static func ownStreams() throws(SystemFailure) -> InheritedStreams {
    let streams = InheritedStreams(
      output: try Descriptors.duplicate(1),
      error: try Descriptors.duplicate(2)
    )
    for stream in [streams.output, streams.error] { try Descriptors.setCloseOnExec(stream, false) }
    return streams
  }

  private static func printing(
    _ batch: any Batch,
    _ options: SharedOptions,
    _ control: RunControl,
    _ runProgress: RunProgress
  ) -> Printer.Options {
    var printing = Printer.Options()
    printing.keepsOrder = options.keepsOrder
    printing.lineLimit = options.display.lineLimit
    var line: (@Sendable (_ width: Int) -> String?)?
    if runProgress.isMeasuring {
      line = { width in
        let snapshot = runProgress.snapshot(at: control.engine.now, label: batch.label(of:))
        return snapshot.isOver ? nil : snapshot.line(width: width)
      }
    }
    printing.progress = ProgressLine(on: printing.error, line)
    printing.hungUp = { control.loseTerminal() }
    printing.lost = { control.noteDroppedOutput() }
    printing.suspend = { control.suspend(for: .printer, while: $0) }
    printing.ended = { control.readers.note(endOf: .outputs) }
    printing.failed = { failure in
      control.end(as: failure.isClosedPipe ? .closedOutput : .output)
      guard !failure.isClosedPipe else { return }
      CurrentProcess.complain("opool: \(failure.stream): \(failure.failure.reason)")
    }
    return printing
  }
}

extension RunSession {
  /// The exit code of a run that was not made to end early.
  func exitCode(_ state: borrowing State) -> ExitCode {
    if state.lacksWorkers { return .workers }
    if state.hasLostOutput || control.hasDroppedOutput { return .output }
    if let failure = state.inputFailure { return failure }
    return state.summary.exitCode
  }
}
