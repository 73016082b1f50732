package import PoolAnalysis
import PoolEvents
import PoolModel
import PoolWire

/// What an operation of a recorded run waited for, and what it came to.
package struct RecordedExplanation {
  private let operation: HistoricOperation
  private let ready: Instant?
  /// The operation because of which it was skipped, and how that ended.
  private let root: (label: String, ending: PoolEnding?)?
  /// What each attempt waited for last, and the operation that ended then.
  private let waits: [(reason: DecidingStep.Reason, cause: HistoricOperation?)]

  /// Explains the operation with this place in the history; O(*n* log *n*).
  package init(of place: Int, in history: RunHistory) {
    operation = history.operations[place]
    ready = ReadyTimes.of(history)[place]
    root = operation.end?.root.flatMap { root in
      history.place(of: root.number).map { place in
        let cause = history.operations[place]
        return (cause.label, root.ending ?? cause.ending)
      }
    }
    waits = DecidingChain.waits(of: place, in: history).map { wait in
      (wait.reason, wait.cause.map { history.operations[$0] })
    }
  }

  /// The lines for people.
  package var lines: [String] {
    let name = operation.label
    let ending = ReportWording.ending(operation.ending)
    var lines = ["\(name): \(ending)" + (message.map { ": \($0)" } ?? "")]
    if operation.end?.isResumed == true { lines.append("  executed by an earlier run") }
    if let root {
      lines.append("  because of \(root.label), which \(ReportWording.ending(root.ending))")
    }
    if let ready { lines.append("  ready at \(time(ready))") }
    for (attempt, wait) in zip(operation.attempts, waits) {
      let number = operation.attempts.count > 1 ? "attempt \(attempt.number)" : "executed"
      let end = attempt.finished.map { " to \(time($0))" } ?? ", without an end"
      var line = "  \(number) from \(time(attempt.started))\(end) on worker \(attempt.worker)"
      line += ", after \(Printable.text(ReportWording.reason(wait.reason)))"
      if let cause = wait.cause { line += " (\(cause.label))" }
      lines.append(line)
    }
    return lines
  }

  private var message: String? { operation.end?.message.map { Printable.text($0) } }

  private func time(_ instant: Instant) -> String {
    ReportWording.duration(instant.nanoseconds)
  }

  /// The explanation as a report.
  package var json: [UInt8] {
    JSONReport.line("explanation") { writer in
      writer.key("id")
      writer.string(operation.id)
      writer.field("state", "ended")
      writer.optional("outcome", operation.ending) { $0.string($1.name) }
      writer.optional("message", operation.end?.message) { $0.string($1) }
      writer.optional("root", root?.label) { $0.string($1) }
      writer.optional("ready", seconds: ready?.nanoseconds)
      writer.key("attempts")
      writer.objects(Array(zip(operation.attempts, waits))) { writer, item in
        writer.field("attempt", item.0.number)
        writer.field("worker", item.0.worker.rawValue)
        writer.field("started", seconds: item.0.started.nanoseconds)
        writer.optional("finished", seconds: item.0.finished?.nanoseconds)
        writer.key("after")
        writer.string(ReportWording.reason(item.1.reason))
        writer.optional("cause", item.1.cause) { $0.string($1.id) }
      }
    }
  }
}
