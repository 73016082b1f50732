package import PoolContents
package import PoolEvents
import PoolModel
import PoolSystem
package import PoolWire

/// A line of the results: what the record of an outcome says, and what the operation is called.
package struct ResultLine {
  package let record: EndRecord
  package var description: OperationDescription
  /// The same in each line of the operation, also of later runs of its journal: its idempotency
  /// key.
  package var key: [UInt8]?
  /// The same in all runs of a journal.
  package var run: [UInt8]?
  /// The identifier of what it was skipped because of.
  package var root: [UInt8]?
  /// Nanoseconds from 1970 to the start of the run.
  package var runStart: Int64?
  package var standardOutput = OutputExcerpt()
  package var standardError = OutputExcerpt()
  package var result: ResultContent?

  package init(_ record: EndRecord, _ description: OperationDescription) {
    (self.record, self.description) = (record, description)
  }
}

extension ResultLine {
  /// Appends the line: JSON with all its fields, `null` for those without a value,
  /// so that readers can rely on them.
  ///
  /// The line of a group has a number of `members`; a group was never queued or started.
  ///
  /// A large result is left out; returns the offset where it belongs.
  @discardableResult
  package func append(to writer: inout JSONWriter) -> Int? {
    writer.beginObject()
    writer.key("id")
    writer.string(description.id)
    writer.optional("key", key) { $0.string($1) }
    writer.optional("run", run) { $0.string($1) }
    writer.key("name")
    writer.string(description.name)
    writer.optional("group", description.group) { $0.string($1) }
    writer.optional("members", record.memberCount) { $0.integer($1) }
    writer.optional("input", description.input) { $0.byteText($1) }
    writer.optional("inputs", description.inputs) { writer, inputs in
      writer.beginArray()
      for input in inputs { writer.byteText(input) }
      writer.endArray()
    }
    writer.optional("command", description.command) { $0.byteText($1) }
    writer.key("outcome")
    writer.string(record.ending.name)
    appendCause(to: &writer)
    writer.optional("exit", record.exit) { $0.integer($1) }
    writer.optional("signal", record.signal) { $0.integer($1) }
    writer.key("attempt")
    writer.integer(record.attempt)
    writer.optional("worker", record.worker) { $0.integer($1.rawValue) }
    appendTimes(to: &writer)
    appendOutputs(to: &writer)
    var offset: Int?
    writer.optional("result", result) { writer, result in
      writer.raw(result.lineIfSmall ?? [])
      if !result.isSmall { offset = writer.bytes.count }
    }
    writer.optional("errorType", record.errorType) { $0.string($1) }
    writer.optional("errorCode", record.errorCode) { $0.integer($1) }
    writer.optional("message", record.message) { $0.string($1) }
    writer.key("resumed")
    writer.bool(record.isResumed)
    writer.endObject()
    writer.endLine()
    return offset
  }

  private func appendTimes(to writer: inout JSONWriter) {
    writer.optional("queued", seconds: record.queued?.nanoseconds)
    writer.optional("started", seconds: record.started?.nanoseconds)
    writer.optional("finished", seconds: record.finished?.nanoseconds)
    writer.optional("startedAt", seconds: timeOfDay(record.started))
    writer.optional("finishedAt", seconds: timeOfDay(record.finished))
    writer.optional("usage", record.usage) { $0.usage($1) }
    let steps = record.stepsTaken
    writer.optional("stepsTaken", steps.isEmpty ? nil : steps) { $0.stepsTaken($1) }
  }

  /// Nanoseconds since 1970 of a moment of the run.
  private func timeOfDay(_ moment: Instant?) -> Int64? {
    guard let moment, let runStart else { return nil }
    return runStart.saturatingSum(moment.nanoseconds)
  }

  /// The cause in a word; of a skipped operation, with its root.
  private func appendCause(to writer: inout JSONWriter) {
    writer.optional("cause", record.cause) { writer, cause in
      guard let root else { return writer.string(cause.rawValue) }
      writer.string(Array("\(cause.rawValue):".utf8) + root)
    }
  }

  private func appendOutputs(to writer: inout JSONWriter) {
    writer.optional("stdout", standardOutput.bytes) { $0.byteText($1) }
    writer.key("stdoutBytes")
    writer.integer(standardOutput.byteCount)
    writer.optional("stderr", standardError.bytes) { $0.byteText($1) }
    writer.key("stderrBytes")
    writer.integer(standardError.byteCount)
  }
}

extension JSONWriter {
  fileprivate mutating func stepsTaken(_ stepsTaken: [PoolTeardownStepTaken]) {
    objects(stepsTaken) { writer, step in
      writer.key("step")
      writer.string(step.action.name)
      writer.key("at")
      writer.seconds(.nanoseconds(of: step.at))
    }
  }
}

extension PoolTeardownSequence.Action {
  /// As ``PoolCancellation/step`` has it.
  package var name: String {
    switch self {
    case .message: "message"
    case .signal(let number): ProcessSignal(number).description
    }
  }
}
