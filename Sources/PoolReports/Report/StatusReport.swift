import PoolModel
import PoolText

/// The report that SIGUSR1 prints: the progress of the run and all executing operations.
package struct StatusReport {
  /// An operation that executes.
  package struct Execution {
    /// UTF-8.
    package var id: [UInt8]
    package var label: String
    package var worker: String
    /// Nanoseconds since it started.
    package var elapsed: Int64
  }

  /// Maximum number of listed executions.
  package static let limit = 100

  package var progress: ProgressSnapshot
  /// The longest ones first.
  package var executions: [Execution]

  /// The lines for people.
  package var lines: [String] { [progress.line(width: .max)] + executionLines }

  /// A line for each operation that executes.
  package var executionLines: [String] {
    var lines: [String] = []
    for execution in executions.prefix(Self.limit) {
      let time = DurationFormat.clock(execution.elapsed)
      let label = Printable.name(execution.label)
      lines.append("executing on worker \(execution.worker) for \(time): \(label)")
    }
    let rest = executions.count - Self.limit
    if rest > 0 { lines.append("… and \(rest) more") }
    return lines
  }
}
