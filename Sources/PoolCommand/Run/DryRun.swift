import PoolJournal
import PoolSystem

/// `--dry-run`: shows what would be executed, and executes nothing.
enum DryRun {
  /// What is gathered before it is written: 64 KiB.
  private static let bufferSize = 64 << 10

  /// Shows what would be executed of a batch, whose plan follows from ranks.
  static func show(
    _ batch: any Batch,
    _ options: SharedOptions,
    _ plan: (_ ranks: [Int64]?) -> Plan
  ) -> ExitCode {
    do throws(JournalError) {
      var durations = try ExpectedDurations(options)
      let ranks = durations?.ranks(of: 0..<batch.count, of: batch)
      return show(plan(ranks), batch, options)
    } catch {
      CurrentProcess.complain("opool: \(error.message)")
      return .output
    }
  }

  /// Prints the plan, unless quiet, and the verdict.
  private static func show(_ plan: Plan, _ batch: any Batch, _ options: SharedOptions) -> ExitCode {
    do throws(SystemFailure) {
      if options.verbosity != .quiet { try list(plan, batch) }
      try SystemIO.writeAll(1, Array((plan.verdict + "\n").utf8))
      return .success
    } catch {
      guard !error.isBrokenPipe else { return .closedOutput }
      CurrentProcess.complain("opool: standard output: \(error.reason)")
      return .output
    }
  }

  private static func list(_ plan: Plan, _ batch: any Batch) throws(SystemFailure) {
    var text: [UInt8] = []
    for place in 0..<plan.count {
      let operation = plan.operation(at: place)
      plan.append(
        place: place,
        id: batch.id(of: operation),
        label: batch.label(of: operation),
        details: batch.details(of: operation),
        to: &text
      )
      guard text.count >= bufferSize else { continue }
      try SystemIO.writeAll(1, text)
      text.removeAll(keepingCapacity: true)
    }
    try SystemIO.writeAll(1, text)
  }
}
