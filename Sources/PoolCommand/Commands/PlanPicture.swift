import PoolInputs
import PoolModel
import PoolReports
import PoolSystem

/// `--graph`: prints what waits for what, and executes nothing.
enum PlanPicture {
  static func show(
    _ workload: any Workload,
    _ options: SharedOptions,
    _ request: GraphRequest,
    _ preparation: RunPreparation
  ) -> ExitCode {
    do throws(RunFailure) {
      let graph = try graph(of: workload, request)
      let states = try request.history.map { path throws(RunFailure) in
        PlanStates(try RecordedRun.history(at: path), of: workload)
      }
      preparation.endInTime()
      if options.verbosity != .quiet { remark(on: graph, states, workload, request) }
      return StandardOutput.write(graph.text(as: request.format ?? .dot, states)) ?? .success
    } catch {
      CurrentProcess.complain("opool: \(error.message)")
      return error.code
    }
  }

  private static func graph(
    of workload: any Workload,
    _ request: GraphRequest
  ) throws(RunFailure) -> PlanGraph {
    do throws(UnknownNameError) {
      return try PlanGraph(workload, around: request.center)
    } catch {
      throw RunFailure(.usage, "--around: \(error.message)")
    }
  }

  /// Says what the picture lacks.
  private static func remark(
    on graph: PlanGraph,
    _ states: PlanStates?,
    _ workload: any Workload,
    _ request: GraphRequest
  ) {
    if let near = graph.neighbourhood, near.fartherCount > 0 {
      let steps = Plural.of(near.steps, "step")
      let count = Plural.of(near.fartherCount, "operation")
      CurrentProcess.complain(
        "opool: --around: \(steps) in each direction; \(count) further away left out"
      )
    }
    if let states, states.knownCount == 0, workload.count > 0, let path = request.history {
      CurrentProcess.complain(
        "opool: \(Printable.text(path)): no operation of the plan is in its last run"
      )
    }
  }
}
