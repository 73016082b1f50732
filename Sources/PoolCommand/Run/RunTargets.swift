import PoolJournal
import PoolModel
import PoolSystem

/// Everything that a run writes besides its streams and its journal, opened before anything is
/// written.
struct RunTargets {
  private var results: LineTarget?
  private var jobLog: LineTarget?
  private var jobLogStart = JobLogStart.empty
  /// The folder of the results, where `--results` names one.
  private(set) var folder: ResultsFolder?

  /// Finds the destinations, and checks that none is another file of the run.
  ///
  /// Removes what it has created if the deadline comes while another file is opened.
  init(
    _ options: SharedOptions,
    for workload: any Workload,
    _ preparation: RunPreparation,
    _ files: inout RunFiles
  ) throws {
    // These come first: a file that is opened below may be created as one of them.
    try files.add(.history, path: options.history)
    if case .file(let path) = options.width { try files.add(.width, path: path) }
    try files.addJournal(path: options.journal.path)
    do {
      if let path = options.results {
        if ResultsFolder.isNamed(path) {
          try openFolder(path, options, for: workload, preparation)
        } else {
          try Self.open(&results, path, as: .results, of: "results", options, preparation, &files)
        }
      }
      if let path = options.jobLog?.path {
        try Self.open(&jobLog, path, as: .jobLog, of: "the job log", options, preparation, &files)
        if options.continuesJobLog, let jobLog { jobLogStart = try Self.start(of: jobLog) }
      }
      try demandTwoStreams()
    } catch {
      discard()
      throw error
    }
  }

  /// Refuses to mix the lines of both in one stream.
  private func demandTwoStreams() throws(WorkloadRun.RunFailure) {
    guard case .stream(let one)? = results, case .stream(let other)? = jobLog, one == other
    else { return }
    let stream = one ? "standard error" : "standard output"
    throw WorkloadRun.RunFailure(.usage, "--results and --joblog both name the \(stream)")
  }

  private mutating func openFolder(
    _ path: [UInt8],
    _ options: SharedOptions,
    for workload: any Workload,
    _ preparation: RunPreparation
  ) throws {
    try Self.demandGrouped(options.display)
    let folder = try ResultsFolder(path)
    self.folder = folder
    preparation.ifLate { folder.discard() }
    try folder.demandFree(options.jobLog?.path, as: "--joblog", in: workload)
    try folder.demandFree(options.journal.path, as: "--journal", in: workload)
  }

  /// Opens a destination of lines, and stores it before it can be refused.
  private static func open(
    _ target: inout LineTarget?,
    _ path: [UInt8],
    as role: RunFiles.Role,
    of lines: String,
    _ options: SharedOptions,
    _ preparation: RunPreparation,
    _ files: inout RunFiles
  ) throws {
    let new = try LineTarget(path, as: role, &files)
    target = new
    preparation.ifLate { new.discard() }
    try demandOwnStream(path, new, of: lines, options.display)
  }

  /// Refuses options about printing if nothing is printed.
  private static func demandGrouped(_ options: DisplayOptions) throws(WorkloadRun.RunFailure) {
    guard options.isLive || options.tag != nil else { return }
    let reason = "with --results DIR outputs go to files, and none is printed"
    throw WorkloadRun.RunFailure(.usage, "\(reason); leave out --line-buffer, -u and --tag")
  }

  /// Refuses lines in a stream to which commands write themselves.
  private static func demandOwnStream(
    _ path: [UInt8],
    _ target: LineTarget,
    of lines: String,
    _ display: DisplayOptions
  ) throws(WorkloadRun.RunFailure) {
    guard display.isUngrouped, case .stream(let isError) = target else { return }
    let stream = isError ? "standard error" : "standard output"
    throw WorkloadRun.RunFailure(
      .usage,
      "\(Printable.text(path)): with -u commands write to the \(stream) themselves, and "
        + "lines of \(lines) must be whole; write --line-buffer, or name another file"
    )
  }

  /// Closes the destinations; removes those that were created.
  func discard() {
    results?.discard()
    jobLog?.discard()
    folder?.discard()
  }

  /// Empties the file of results, and makes its writer; the journal learns which lines a regular
  /// file has.
  func openResults(
    _ control: RunControl,
    _ journal: RunJournal?,
    beside printer: Printer
  ) throws -> sending ResultsFile? {
    guard let results else { return nil }
    let destination = try results.open(as: .results, control, beside: printer)
    guard case .file = destination, let journal else { return ResultsFile(destination) }
    journal.expectResults()
    return ResultsFile(destination) { journal.note($0, by: .results) }
  }

  /// Empties the job log, or goes to its end, and makes its writer.
  func openJobLog(_ control: RunControl, beside printer: Printer) throws -> sending JobLog? {
    let start = jobLogStart
    let kept = start.keptByteCount
    let target = try jobLog?.open(keeping: kept, as: .jobLog, control, beside: printer)
    return target.map { JobLog($0, hasHeader: start.hasHeader) }
  }

  private static func start(of target: LineTarget) throws(WorkloadRun.RunFailure) -> JobLogStart {
    guard case .file(let file, let path) = target, file.isOwn else { return .empty }
    let name = Printable.text(path)
    do throws(SystemFailure) {
      let reader = try Descriptors.openFile(path: path)
      defer { Descriptors.close(reader) }
      if let start = try JobLogStart(reader) { return start }
    } catch {
      throw WorkloadRun.RunFailure(.output, "\(name): \(error.reason)")
    }
    let advice = "nothing is added to it; name another file"
    throw WorkloadRun.RunFailure(.output, "\(name): not a job log, so \(advice)")
  }
}

extension SharedOptions {
  /// Whether lines are added to an existing job log.
  fileprivate var continuesJobLog: Bool {
    jobLog?.isAppended == true || journal.opening.continues
  }
}
