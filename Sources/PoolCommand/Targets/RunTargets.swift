import PoolInputs
import PoolJournal
import PoolModel
import PoolReports
import PoolSystem

/// Everything that a run writes besides its streams and its journal, opened before anything is
/// written.
struct RunTargets {
  private var lines: [TargetLines: LineTarget] = [:]
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
    if let report = options.report { try Self.check(report, of: "--report", .report, &files) }
    if let junit = options.junit { try Self.check(junit, of: "--junit", .junit, &files) }
    do {
      for lines in TargetLines.allCases {
        guard let path = options.targets[lines]?.path else { continue }
        if lines.mayBeFolder, ResultsFolder.isNamed(path) {
          try openFolder(path, options, for: workload, preparation)
        } else {
          try open(lines, path, options, preparation, &files)
        }
      }
    } catch {
      discard()
      throw error
    }
  }

  /// Refuses a file that could not be written at the end.
  private static func check(
    _ path: [UInt8],
    of option: String,
    _ role: RunFiles.Role,
    _ files: inout RunFiles
  ) throws {
    try files.add(role, path: path)
    do throws(SystemFailure) {
      try WholeFile.demandWritable(path)
    } catch {
      throw RunFailure(.output, "\(option): \(Printable.text(path)): \(error.reason)")
    }
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
    for lines in TargetLines.allCases where !lines.mayBeFolder {
      try folder.demandFree(options.targets[lines]?.path, as: lines.option, in: workload)
    }
    try folder.demandFree(options.journal.path, as: "--journal", in: workload)
  }

  /// Opens a destination of lines, and stores it before it can be refused.
  private mutating func open(
    _ lines: TargetLines,
    _ path: [UInt8],
    _ options: SharedOptions,
    _ preparation: RunPreparation,
    _ files: inout RunFiles
  ) throws {
    let target = try LineTarget(path, of: lines, &files)
    let other = self.lines.first { $0.value.isSameStream(as: target) }?.key
    self.lines[lines] = target
    preparation.ifLate { target.discard() }
    guard case .stream(let isError) = target else { return }
    let stream = isError ? "standard error" : "standard output"
    if let other {
      throw RunFailure(
        .usage,
        "\(other.option) and \(lines.option) both name the \(stream)"
      )
    }
    if options.ci != nil {
      throw RunFailure(
        .usage,
        "\(Printable.text(path)): with --ci the \(stream) is a log, and \(lines.name) would be "
          + "changed in it; name another file"
      )
    }
    guard options.display.isUngrouped else { return }
    throw RunFailure(
      .usage,
      "\(Printable.text(path)): with -u commands write to the \(stream) themselves, and "
        + "lines of \(lines.name) must be whole; write --line-buffer, or name another file"
    )
  }

  /// Refuses options about printing if nothing is printed.
  private static func demandGrouped(_ options: DisplayOptions) throws(RunFailure) {
    guard options.isLive || options.tag != nil else { return }
    let reason = "with --results DIR outputs go to files, and none is printed"
    throw RunFailure(.usage, "\(reason); leave out --line-buffer, -u and --tag")
  }

  /// Closes the destinations; removes those that were created.
  func discard() {
    for target in lines.values { target.discard() }
    folder?.discard()
  }

  /// Makes what takes the lines of each target, which go on as was decided.
  func openSinks(
    _ starts: [TargetLines: TargetStart],
    _ control: RunControl,
    _ journal: RunJournal?,
    beside printer: Printer
  ) throws -> sending [TargetLines: LineSink] {
    var sinks: [TargetLines: LineSink] = [:]
    for lines in TargetLines.allCases {
      sinks[lines] = try openSink(of: lines, starts, control, journal, beside: printer)
    }
    return sinks
  }

  /// Makes what takes lines; nil if the user wants none.
  private func openSink(
    of lines: TargetLines,
    _ starts: [TargetLines: TargetStart],
    _ control: RunControl,
    _ journal: RunJournal?,
    beside printer: Printer
  ) throws -> sending LineSink? {
    guard let target = self.lines[lines], let start = starts[lines] else { return nil }
    var wrote: (@Sendable (LineReceipt) -> Void)?
    var noted: LineSink.Noted?
    if let journal, let role = lines.role {
      wrote = { journal.note($0.operations, by: $0.role) }
      noted = { journal.note($0, by: role, $1) }
    }
    let destination = try target.open(
      cutTo: start.cutLength,
      for: lines,
      control,
      beside: printer,
      wrote: wrote
    )
    let sink = LineSink(destination, of: lines, named: target.name, noted: noted)
    if start.keptByteCount == 0, !lines.header.isEmpty { sink.write(LineBatch(lines.header)) }
    return sink
  }
}

// MARK: - How targets begin

extension RunTargets {
  /// Decides how each target begins, by what the journal says of it, and declares it there; throws
  /// if one may not be continued, and leaves all as they are.
  func starts(
    _ journal: RunJournal?,
    _ options: SharedOptions
  ) throws -> [TargetLines: TargetStart] {
    var starts: [TargetLines: TargetStart] = [:]
    for lines in TargetLines.allCases {
      let isContinued = lines.isContinued(options, journal)
      if let target = self.lines[lines] {
        starts[lines] = try Self.start(target, of: lines, journal, continues: isContinued)
      } else if lines.mayBeFolder, let folder {
        starts[lines] = Self.start(folder, of: lines, journal, continues: isContinued)
      }
    }
    let known = TargetLines.allCases.filter { $0.role != nil }.compactMap { starts[$0] }
    try journal?.begin([.standardStreams] + known)
    return starts
  }

  private static func start(
    _ folder: ResultsFolder,
    of lines: TargetLines,
    _ journal: RunJournal?,
    continues: Bool
  ) -> TargetStart {
    var start = TargetStart(role: lines.role ?? .none, file: folder.number)
    if continues, !folder.isNew { start.known = journal?.targets.latest(start.role, start.file) }
    start.sync = { () throws(SystemFailure) in try folder.sync() }
    return start
  }

  private static func start(
    _ target: LineTarget,
    of lines: TargetLines,
    _ journal: RunJournal?,
    continues: Bool
  ) throws -> TargetStart {
    guard case .file(let file, let path) = target, file.isOwn else {
      var start = TargetStart(role: lines.role ?? .none)
      if continues, let role = lines.role { start.known = journal?.targets.latest(role, nil) }
      return start
    }
    guard let role = lines.role else {
      return try Self.start(target, file, path, of: lines, continues: continues)
    }
    var start = TargetStart(role: role, file: FileIdentity(file.descriptor)?.number)
    let copy = OpenFile(try Descriptors.duplicate(file.descriptor))
    start.sync = { () throws(SystemFailure) in try DurableFile.sync(copy.descriptor) }
    guard continues else { return start }
    start.cutLength = nil
    guard !file.isNew else { return start }
    let own = journal.map { OwnLines(of: $0) }
    let refusal: String?
    do throws(SystemFailure) {
      let found = try FoundLines(path, of: lines) { line in
        own.map { lines.isOwn(line, $0) } ?? false
      }
      refusal = start.continue(found, by: journal?.targets ?? JournalTargets())
    } catch {
      refusal = error.reason
    }
    guard let refusal else { return start }
    throw RunFailure(.output, "\(target.name): \(refusal)")
  }
}

extension RunTargets {
  /// How a file of lines that no journal knows begins: an existing one is refused, or goes on
  /// behind its last whole line.
  private static func start(
    _ target: LineTarget,
    _ file: OverwriteTarget,
    _ path: [UInt8],
    of lines: TargetLines,
    continues: Bool
  ) throws -> TargetStart {
    var start = TargetStart(role: .none)
    let size = try Descriptors.size(of: file.descriptor)
    guard size > 0 else { return start }
    guard continues else {
      let advice = "name another file for \(lines.name), or continue it with --resume"
      throw RunFailure(.output, "\(target.name): it exists already; \(advice)")
    }
    let found = try FoundLines(path, of: lines) { _ in true }
    guard found.hasExpectedStart else {
      let reason = "it is not continued, since it does not begin as \(lines.name) do"
      throw RunFailure(.output, "\(target.name): \(reason)")
    }
    start.keptByteCount = found.wholeEnd
    start.cutLength = size > start.keptByteCount ? start.keptByteCount : nil
    return start
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
