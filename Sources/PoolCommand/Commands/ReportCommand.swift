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
      return StandardOutput.write(Array(TextReport.text(of: analysis).utf8)) ?? .success
    } catch {
      CurrentProcess.complain("opool: \(name): \(error.message)")
      return error.code == .unreadable ? .output : .manifest
    }
  }
}
