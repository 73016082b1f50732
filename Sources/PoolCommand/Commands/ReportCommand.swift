import PoolAnalysis
import PoolInputs
import PoolModel
import PoolReports
import PoolSystem

/// `opool report`: what happened in a recorded run, and why it took that long.
enum ReportCommand {
  static func run(_ options: ReportOptions) -> ExitCode {
    let name = Printable.text(options.path)
    do throws(RecordedRunError) {
      let run = try RecordedRun(path: options.path)
      for finding in run.findings { CurrentProcess.complain("opool: \(name): \(finding)") }
      let analysis = RunAnalysis(run.history)
      if let page = options.page { return write(page, of: analysis, options) }
      return StandardOutput.write(Array(TextReport.text(of: analysis).utf8)) ?? .success
    } catch {
      CurrentProcess.complain("opool: \(name): \(error.message)")
      return error.code == .unreadable ? .output : .manifest
    }
  }

  /// Writes the page; returns the exit code.
  private static func write(
    _ target: [UInt8],
    of analysis: RunAnalysis,
    _ options: ReportOptions
  ) -> ExitCode {
    let page = PageReport.page(
      of: analysis,
      PageOptions(name: options.path, omissions: options.omissions)
    )
    if target == Array("-".utf8) { return StandardOutput.write(page) ?? .success }
    do throws(SystemFailure) {
      try WholeFile.replace(target, with: page)
      return .success
    } catch {
      CurrentProcess.complain("opool: \(Printable.text(target)): \(error.reason)")
      return .output
    }
  }
}
