import PoolAnalysis
import PoolInputs
import PoolModel
import PoolReports
import PoolSystem

/// `--simulate`: how long a workload takes with several numbers of slots.
enum Simulation {
  static func show(
    _ workload: any Workload,
    _ options: SharedOptions,
    _ preparation: RunPreparation
  ) -> ExitCode {
    do throws(RunFailure) {
      let measured = try options.history.map { path throws(RunFailure) in
        MeasuredRun(try RecordedRun.history(at: path))
      }
      preparation.endInTime()
      let plan = WorkloadPlan(workload, measured)
      if plan.unknownCount > 0, options.verbosity != .quiet {
        let duration = measured?.mean == nil ? "1 s" : "the mean"
        let count = Plural.of(plan.unknownCount, "operation")
        CurrentProcess.complain("opool: \(count) of unknown duration: counted with \(duration)")
      }
      let forecasts = options.simulatedWidths.compactMap { WidthForecast(plan.plan, slots: $0) }
      guard forecasts.count == options.simulatedWidths.count else {
        throw RunFailure(.manifest, "the durations of all operations together exceed 30 years")
      }
      let text = ForecastText(forecasts)
      let lines = text.lines.map { $0 + "\n" }.joined()
      return StandardOutput.write(options.printsJSON ? text.json : Array(lines.utf8)) ?? .success
    } catch {
      CurrentProcess.complain("opool: \(error.message)")
      return error.code
    }
  }
}
