import PoolEvents
import PoolInputs
import PoolJournal
import PoolModel
import PoolReports
import PoolSystem
import PoolWire

/// `opool journal`: verifies, exports or compacts the journal of a run.
enum JournalCommand {
  /// Bytes that are gathered before they are written: 64 KiB.
  private static let bufferSize = 64 << 10

  static func run(_ options: JournalCommandOptions) -> ExitCode {
    let name = Printable.text(options.path)
    do throws(SharedFileError) {
      var files = try RunFiles(reading: nil, nil)
      try files.addJournal(path: options.path)
    } catch {
      CurrentProcess.complain("opool: \(error.message)")
      return .usage
    }
    do throws(JournalError) {
      switch options.action {
      case .verify: return try verify(options, name)
      case .export: return try export(options, name)
      case .compact: return try compact(options, name)
      }
    } catch {
      CurrentProcess.complain("opool: \(name): \(error.message)")
      return error.isAboutContent ? .operationsFailed : .output
    }
  }

  /// Reports what a journal contains; fails if any part is not a record.
  private static func verify(
    _ options: JournalCommandOptions,
    _ name: String
  ) throws(JournalError) -> ExitCode {
    let path = options.path
    var state = JournalState()
    var recordCount = 0
    let content = try JournalContent(path: path) { entry in
      state.apply(entry)
      if !entry.record.isMark { recordCount += 1 }
    }
    warn(of: content.scan, name)
    let isWhole = try hasAllOutputs(state, content, path, name) && content.scan.damage.isEmpty
    let summary = JournalSummary(state, recordCount: recordCount, isWhole: isWhole)
    let text = options.printsJSON ? summary.json(of: path) : Array(summary.text(of: name).utf8)
    return StandardOutput.write(text) ?? (isWhole ? .success : .operationsFailed)
  }

  /// Whether all kept outputs can be read; reports those that cannot.
  private static func hasAllOutputs(
    _ state: JournalState,
    _ content: JournalContent,
    _ path: [UInt8],
    _ name: String
  ) throws(JournalError) -> Bool {
    guard !state.unprinted.isEmpty else { return true }
    do throws(JournalError) {
      try KeptOutputs.find(of: state, in: content.bytes, at: path).demandWhole()
      return true
    } catch {
      guard error.code == .lostOutputs else { throw error }
      CurrentProcess.complain("opool: \(name): \(Printable.text(error.message))")
      return false
    }
  }

  /// Prints all records, or what happened, even if the file has damaged parts.
  private static func export(
    _ options: JournalCommandOptions,
    _ name: String
  ) throws(JournalError) -> ExitCode {
    var keys = JournalReplay.Keys()
    let content = try JournalContent(path: options.path) { keys.note($0.record) }
    warn(of: content.scan, name)
    var text = JSONWriter()
    var failure: SystemFailure?
    func flush(atLeast count: Int) {
      guard failure == nil, text.bytes.count >= count else { return }
      do throws(SystemFailure) { try SystemIO.writeAll(1, text.bytes) } catch { failure = error }
      text.removeAll()
    }
    var replay = JournalReplay(keys)
    func tell(_ record: RunRecord, _ time: Instant) { record.append(to: &text, at: time) }
    _ = try JournalScan(content.bytes) { entry in
      guard failure == nil else { return }
      let body = content.bytes[entry.body]
      if options.printsEvents {
        replay.take(entry.record, body: { Array(body) }, tell)
      } else {
        text.raw(body.dropLast())
        text.endLine()
      }
      flush(atLeast: bufferSize)
    }
    if options.printsEvents { replay.finish(tell) }
    flush(atLeast: 0)
    let refusal = StandardOutput.write { () throws(SystemFailure) in
      if let failure { throw failure }
    }
    return refusal ?? (content.scan.damage.isEmpty ? .success : .operationsFailed)
  }

  /// Replaces the journal by the records that a resume needs.
  private static func compact(
    _ options: JournalCommandOptions,
    _ name: String
  ) throws(JournalError) -> ExitCode {
    let path = options.path
    // Opening creates a missing file; reading reports it as missing.
    _ = try JournalContent(path: path) { _ in }
    let file = try JournalFile.open(path: path)
    let bytes = try file.readAll()
    let scan = try JournalScan(bytes, boot: BootIdentifier.current) { _ in }
    try scan.demandUndamaged()
    warn(of: scan, name)
    let compacted = try JournalCompaction.compacted(bytes)
    _ = try file.replace(with: compacted)
    let line = "\(name): \(Plural.of(bytes.count, "byte")), now \(compacted.count)\n"
    let report = JSONReport.line("compaction") { writer in
      writer.key("file")
      writer.byteText(path)
      writer.field("bytesBefore", bytes.count)
      writer.field("bytes", compacted.count)
    }
    return StandardOutput.write(options.printsJSON ? report : Array(line.utf8)) ?? .success
  }

  private static func warn(of scan: JournalScan, _ name: String) {
    for finding in scan.findings { CurrentProcess.complain("opool: \(name): \(finding)") }
  }
}

extension JournalError {
  /// Whether the file is readable, but its content is wrong.
  fileprivate var isAboutContent: Bool {
    switch code {
    case .notJournal, .unsupported, .corrupt: true
    case .exists, .inUse, .tampered, .lostOutputs, .system: false
    }
  }
}
