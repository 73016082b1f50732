import PoolAnalysis
import PoolInputs
import PoolModel
import PoolReports
import PoolSystem

/// `opool report`: what happened in a recorded run, and why it took that long.
enum ReportCommand {
  static func run(_ options: ReportOptions) -> ExitCode {
    do throws(RunFailure) {
      let path = try path(options)
      let history = try RecordedRun.history(at: path)
      if let other = options.other {
        let old = RunAnalysis(onAllProcessors: try RecordedRun.history(at: other))
        let comparison = RunComparison(of: RunAnalysis(onAllProcessors: history), with: old)
        return StandardOutput.write(Array(ComparisonText.text(of: comparison).utf8)) ?? .success
      }
      if options.page != nil || options.trace != nil {
        return try writeFiles(of: history, at: path, options) ?? .success
      }
      let analysis = RunAnalysis(onAllProcessors: history)
      return StandardOutput.write(Array(TextReport.text(of: analysis).utf8)) ?? .success
    } catch {
      CurrentProcess.complain("opool: \(error.message)")
      return error.code
    }
  }

  /// Writes the page and the trace that are wanted.
  private static func writeFiles(
    of history: RunHistory,
    at path: [UInt8],
    _ options: ReportOptions
  ) throws(RunFailure) -> ExitCode? {
    if let page = options.page { try demandOther("the page", page, than: path) }
    if let trace = options.trace { try demandOther("the trace", trace, than: path) }
    if let page = options.page {
      let content = PageOptions(name: path, omissions: options.omissions)
      let text = PageReport.page(of: RunAnalysis(onAllProcessors: history), content)
      if let code = try ReportPage.write(text, to: page) { return code }
    }
    guard let trace = options.trace else { return nil }
    // The page is there now, by whatever name.
    if let page = options.page { try demandOther("the trace", trace, than: page, "the page") }
    return try TraceFile.write(TraceReport(history, options.omissions), to: trace)
  }

  /// Refuses to replace the records by what is made of them.
  private static func demandOther(
    _ what: String,
    _ target: [UInt8],
    than path: [UInt8],
    _ other: String = "the records"
  ) throws(RunFailure) {
    guard let file = FileIdentity(path: target), file.isRegular, file == FileIdentity(path: path)
    else { return }
    throw RunFailure(.usage, "\(what) and \(other) are the same file: \(Printable.text(target))")
  }

  private static func path(_ options: ReportOptions) throws(RunFailure) -> [UInt8] {
    if let path = options.path { return path }
    return try lastRun()
  }

  /// The latest run that was kept of this user.
  private static func lastRun() throws(RunFailure) -> [UInt8] {
    guard let folder = KeptRunFolder(ProcessEnvironment.current) else {
      throw RunFailure(
        .usage,
        "no FILE, and no folder of kept runs: neither HOME nor "
          + "XDG_STATE_HOME is an absolute path"
      )
    }
    guard let last = folder.runs.first else {
      throw RunFailure(
        .usage,
        "no FILE, and no run is kept in \(Printable.text(folder.path)): only runs on a terminal "
          + "that take more than 10 s are; record others with --events FILE or --journal FILE"
      )
    }
    return last
  }
}

extension RecordedRun {
  /// The last run in a file; says what of it could not be read.
  static func history(at path: [UInt8]) throws(RunFailure) -> RunHistory {
    let name = Printable.text(path)
    do throws(RecordedRunError) {
      let run = try RecordedRun(path: path)
      for finding in run.namedFindings { CurrentProcess.complain("opool: \(name): \(finding)") }
      return run.history
    } catch {
      throw RunFailure(error.code == .unreadable ? .output : .usage, "\(name): \(error.message)")
    }
  }
}
