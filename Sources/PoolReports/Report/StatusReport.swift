package import PoolAnalysis
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
    /// The worker's process; nil if unknown.
    package var process: Int32?
    /// How it is being ended, if it is.
    package var ending: Standing.Ending?

    /// The line for people.
    fileprivate var line: String {
      let process = process.map { " (pid \($0))" } ?? ""
      let place = "on worker \(worker)\(process)"
      let name = "\(DurationFormat.clock(elapsed)): \(Printable.name(label))"
      guard let ending else { return "executing \(place) for \(name)" }
      return "being ended \(ending.words), executing \(place) for \(name)"
    }
  }

  /// Maximum number of listed executions.
  package static let limit = 100

  /// The process of the run.
  package var process: Int32
  /// The command line of the run, safe to print.
  package var command: String
  package var progress: ProgressSnapshot
  /// How the slots are used.
  package var slots: SlotFacts
  /// The longest ones first.
  package var executions: [Execution]

  package init(
    process: Int32,
    command: String,
    progress: ProgressSnapshot,
    slots: SlotFacts,
    executions: [Execution]
  ) {
    (self.process, self.command) = (process, command)
    (self.progress, self.slots, self.executions) = (progress, slots, executions)
  }

  /// The lines for people.
  package var lines: [String] { [progress.line(width: .max)] + detailLines }

  /// The run in a list of runs: one line, with its end.
  package var summary: [UInt8] {
    let command = MessageExcerpt.input(Array(command.utf8))
    return Array("\(process): \(progress.line(width: .max)): \(command)\n".utf8)
  }

  /// That line, and below it why slots are idle and what executes.
  package var page: [UInt8] {
    summary + Array(detailLines.map { "  \($0)\n" }.joined().utf8)
  }

  /// Why slots are idle, and a line for each operation that executes.
  package var detailLines: [String] {
    var lines = progress.idle?.words.map { [$0] } ?? []
    lines += executions.prefix(Self.limit).map(\.line)
    let rest = executions.count - Self.limit
    if rest > 0 { lines.append("… and \(rest) more") }
    return lines
  }
}
