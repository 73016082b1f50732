import PoolInputs
import PoolJournal
import PoolModel
import PoolReports
import PoolSystem

/// `--dry-run`: prints the plan, and executes nothing.
enum DryRun {
  /// Bytes that are gathered before they are written: 64 KiB.
  private static let bufferSize = 64 << 10

  /// Prints the plan of a workload with these ranks.
  static func show(
    _ workload: any Workload,
    _ options: SharedOptions,
    _ preparation: RunPreparation,
    _ plan: (_ ranks: [Int64]?) -> DryRunPlan
  ) -> ExitCode {
    let options = options.located
    do throws(JournalError) {
      var durations = try ExpectedDurations(options)
      let order = StartOrder(options)
      if let order, options.verbosity == .verbose {
        CurrentProcess.complain("opool: --shuf: the seed is \(order.seed)")
      }
      let ranks =
        order?.ranks(of: 0..<workload.count)
        ?? durations?.ranks(of: 0..<workload.count, of: workload)
      let plan = plan(ranks)
      let resumption = try resumption(of: workload, options)
      preparation.endInTime()
      if let id = resumption.unknown(of: options.journal.reruns) {
        CurrentProcess.complain("opool: \(JournalOptions.complaint(of: id))")
        return .usage
      }
      return show(plan, workload, options, resumption)
    } catch {
      CurrentProcess.complain("opool: \(error.message)")
      return .output
    }
  }

  /// What a run that is resumed does not execute, by its journal, which is not locked.
  private static func resumption(
    of workload: any Workload,
    _ options: SharedOptions
  ) throws(JournalError) -> ResumePlan {
    var resumption = ResumePlan()
    guard let path = options.journal.path else { return resumption }
    // A run makes a journal that is missing.
    let isMissing = FileIdentity(path: path) == nil
    guard options.journal.opening.continues else {
      if !isMissing { try JournalContent.demandEmpty(path: path) }
      return resumption
    }
    let known =
      isMissing
      ? JournalState() : try JournalContent.state(path: path, isQuiet: options.verbosity == .quiet)
    let operations = 0..<workload.count
    if let remark = options.journal.remark(on: known), options.verbosity != .quiet {
      CurrentProcess.complain("opool: \(Printable.text(path)): \(remark)")
    }
    var keys = WorkloadKeys(try known.knownKeyVersion())
    keys.add(operations, of: workload)
    resumption.add(operations, of: workload, keys, known, options.journal)
    return resumption
  }

  /// Prints the plan, unless quiet, and the summary.
  private static func show(
    _ plan: DryRunPlan,
    _ workload: any Workload,
    _ options: SharedOptions,
    _ resumption: ResumePlan
  ) -> ExitCode {
    let failure = StandardOutput.write { () throws(SystemFailure) in
      if options.verbosity != .quiet {
        try list(plan, workload, resumption, asJSON: options.printsJSON)
      }
      var summary = plan.summary
      summary.resumed = resumption.resumedCount
      let text = options.printsJSON ? summary.json : Array((summary.text + "\n").utf8)
      try SystemIO.writeAll(1, text)
    }
    return failure ?? .success
  }

  private static func list(
    _ plan: DryRunPlan,
    _ workload: any Workload,
    _ resumption: ResumePlan,
    asJSON isJSON: Bool
  ) throws(SystemFailure) {
    var text: [UInt8] = []
    for position in 0..<plan.count where resumption.isExecuted(plan.operation(at: position)) {
      if isJSON {
        plan.appendJSON(position: position, of: workload, to: &text)
      } else {
        append(plan, position, workload, to: &text)
      }
      guard text.count >= bufferSize else { continue }
      try SystemIO.writeAll(1, text)
      text.removeAll(keepingCapacity: true)
    }
    try SystemIO.writeAll(1, text)
  }

  private static func append(
    _ plan: DryRunPlan,
    _ position: Int,
    _ workload: any Workload,
    to text: inout [UInt8]
  ) {
    let operation = plan.operation(at: position)
    plan.append(
      position: position,
      id: workload.id(of: operation),
      label: workload.actionText(of: operation),
      details: workload.details(of: operation),
      to: &text
    )
  }
}
