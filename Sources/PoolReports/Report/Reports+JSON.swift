import PoolModel
package import PoolWire

extension ProgressSnapshot {
  /// The progress as a report.
  package var json: [UInt8] { JSONReport.line("progress") { append(to: &$0) } }

  /// Appends the fields of the progress.
  package func append(to writer: inout JSONWriter) {
    writer.field("finished", finished)
    writer.field("total", total)
    writer.key("open")
    writer.bool(isOpen)
    writer.field("executing", executing)
    writer.field("delayed", delayed)
    writer.optional("nextAttempt", nextAttempt) { $0.seconds($1) }
    writer.field("failed", failed)
    writer.key("elapsed")
    writer.seconds(elapsed)
    writer.optional("remaining", remaining) { $0.seconds($1.nanoseconds) }
  }
}

extension StatusReport {
  /// The run, its progress, its slots, and all that executes, as a report.
  package var json: [UInt8] {
    JSONReport.line("status") { writer in
      writer.field("pid", process)
      writer.key("command")
      writer.string(command)
      progress.append(to: &writer)
      slots.append(to: &writer)
      writer.key("idle")
      writer.objects(progress.idle?.parts ?? []) { writer, part in part.append(to: &writer) }
      writer.key("executions")
      writer.objects(executions) { writer, execution in
        writer.key("id")
        writer.string(execution.id)
        writer.key("label")
        writer.string(execution.label)
        writer.key("worker")
        writer.string(execution.worker)
        writer.optional("pid", execution.process) { $0.integer($1) }
        writer.key("elapsed")
        writer.seconds(execution.elapsed)
        writer.optional("ending", execution.ending) { writer, ending in ending.append(to: &writer) }
      }
    }
  }
}

extension SlotFacts {
  fileprivate func append(to writer: inout JSONWriter) {
    writer.field("width", slots)
    writer.field("ready", ready)
    writer.optional("pause", pause) { $0.string($1) }
  }
}

extension IdleSlots.Part {
  fileprivate func append(to writer: inout JSONWriter) {
    writer.field("for", reason.word)
    writer.field("slots", count)
    writer.key("reason")
    writer.string(reason.words)
  }
}

extension Summary {
  /// The counts, and the listed failures, as a report.
  package func json(elapsed: Int64) -> [UInt8] {
    JSONReport.line("summary") { writer in
      writer.key("elapsed")
      writer.seconds(elapsed)
      for ending in PoolEnding.allCases {
        writer.key(Array(ending.name.utf8))
        writer.integer(count(ending))
      }
      writer.field("resumed", resumed)
      writer.field("retried", retried)
      writer.key("failures")
      writer.objects(failures) { writer, failure in
        failure.append(to: &writer)
        writer.field("skipped", failure.skipped)
      }
    }
  }
}

extension Summary.Failure {
  /// Appends the fields of the failure.
  fileprivate func append(to writer: inout JSONWriter) {
    writer.key("id")
    writer.string(id)
    writer.optional("line", line) { $0.integer($1) }
    writer.key("outcome")
    writer.string(ending.name)
    writer.optional("reason", reason) { $0.string($1) }
  }

  /// The failure as a report.
  package var json: [UInt8] { JSONReport.line("failure") { append(to: &$0) } }
}
