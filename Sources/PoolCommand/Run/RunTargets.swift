import PoolJournal
import PoolModel
import PoolSystem

/// Everything that a run writes besides its streams and its journal, opened before anything is
/// written.
struct RunTargets {
  private var results: LineTarget?
  private var jobLog: LineTarget?
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

  /// Makes the writer of the results, which go on as was decided.
  func openResults(
    _ start: TargetStart?,
    _ control: RunControl,
    _ journal: RunJournal?,
    beside printer: Printer
  ) throws -> sending ResultsFile? {
    guard let results, let start else { return nil }
    return ResultsFile(
      try Self.sink(results, start, as: .results, control, journal, beside: printer)
    )
  }

  /// Makes the writer of the job log, which goes on as was decided.
  func openJobLog(
    _ start: TargetStart?,
    _ control: RunControl,
    _ journal: RunJournal?,
    beside printer: Printer
  ) throws -> sending JobLog? {
    guard let jobLog, let start else { return nil }
    let sink = try Self.sink(jobLog, start, as: .jobLog, control, journal, beside: printer)
    return JobLog(sink, hasHeader: start.keptByteCount > 0)
  }

  private static func sink(
    _ target: LineTarget,
    _ start: TargetStart,
    as writer: StreamReaderWait.Writer,
    _ control: RunControl,
    _ journal: RunJournal?,
    beside printer: Printer
  ) throws -> sending LineSink {
    var wrote: (@Sendable (LineReceipt) -> Void)?
    if let journal { wrote = { journal.note($0.operations, by: $0.role) } }
    let destination = try target.open(
      cutTo: start.cutLength,
      as: writer,
      control,
      beside: printer,
      wrote: wrote
    )
    let role = start.role
    guard let journal else { return LineSink(destination, as: role) }
    return LineSink(destination, as: role) { operations, extent in
      journal.note(operations, by: role, extent)
    }
  }
}

// MARK: - How targets begin

extension RunTargets {
  /// How the targets of a run begin.
  struct Starts {
    var results: TargetStart?
    var jobLog: TargetStart?
  }

  /// Decides how each target begins, by what the journal says of it, and declares it there; throws
  /// if one may not be continued, and leaves all as they are.
  func starts(_ journal: RunJournal?, _ options: SharedOptions) throws -> Starts {
    var starts = Starts()
    let isContinued = journal?.isContinued == true
    if let results {
      starts.results = try Self.start(results, as: .results, journal, continues: isContinued)
    }
    if let folder { starts.results = Self.start(folder, journal, continues: isContinued) }
    if let jobLog {
      let continues = options.jobLog?.isAppended == true || options.journal.opening.continues
      starts.jobLog = try Self.start(jobLog, as: .jobLog, journal, continues: continues)
    }
    try journal?.begin([.standardStreams, starts.results, starts.jobLog].compactMap(\.self))
    return starts
  }

  private static func start(
    _ folder: ResultsFolder,
    _ journal: RunJournal?,
    continues: Bool
  ) -> TargetStart {
    var start = TargetStart(role: .results, file: folder.number)
    if continues, !folder.isNew { start.known = journal?.targets.latest(.results, start.file) }
    start.sync = { () throws(SystemFailure) in try folder.sync() }
    return start
  }

  private static func start(
    _ target: LineTarget,
    as role: TargetRoles,
    _ journal: RunJournal?,
    continues: Bool
  ) throws -> TargetStart {
    guard case .file(let file, let path) = target, file.isOwn else {
      let known = continues ? journal?.targets.latest(role, nil) : nil
      return TargetStart(role: role, known: known)
    }
    var start = TargetStart(role: role, file: FileIdentity(file.descriptor)?.number)
    let copy = OpenFile(try Descriptors.duplicate(file.descriptor))
    start.sync = { () throws(SystemFailure) in try DurableFile.sync(copy.descriptor) }
    guard continues else { return start }
    start.cutLength = nil
    guard !file.isNew else { return start }
    do {
      try decide(&start, at: path, journal)
    } catch let failure as SystemFailure {
      throw WorkloadRun.RunFailure(.output, "\(Printable.text(path)): \(failure.reason)")
    }
    return start
  }

  private static func decide(
    _ start: inout TargetStart,
    at path: [UInt8],
    _ journal: RunJournal?
  ) throws {
    let own = journal.map { OwnLines(of: $0) }
    let isLog = start.role == .jobLog
    let found = try FoundLines(path, as: start.role) { line in
      isLog ? own?.hasLog(line) == true : own?.hasResult(line) == true
    }
    let targets = journal?.targets ?? JournalTargets()
    switch targets.continuation(of: found, as: start.role) {
    case .replaced: break
    case .continued(let number, let count):
      (start.known, start.keptByteCount) = (number.flatMap { targets[$0] }, count)
    case .refused(let reason):
      throw WorkloadRun.RunFailure(.output, "\(Printable.text(path)): \(reason)")
    }
    if found.byteCount > start.keptByteCount { start.cutLength = start.keptByteCount }
  }
}

extension TargetStart {
  /// The standard streams, of which only a regular file for the output must be synced.
  fileprivate static var standardStreams: Self {
    var start = Self(role: .streams)
    if FileIdentity(1)?.isRegular == true {
      start.sync = { () throws(SystemFailure) in try DurableFile.sync(1) }
    }
    return start
  }
}
