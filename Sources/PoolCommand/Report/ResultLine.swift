import OperationPool
import PoolModel
import PoolSystem
package import PoolWire

extension OperationReport {
  /// Appends the report as one line of JSON with all its fields, `null` for those without a value,
  /// so that readers can rely on them.
  ///
  /// The line of a group has a number of `members`; a group was never queued or started.
  ///
  /// A large result is left out; returns the offset where it belongs.
  @discardableResult
  package func append(to writer: inout JSONWriter) -> Int? {
    writer.beginObject()
    writer.key("id")
    writer.string(id)
    writer.optional("key", key) { $0.string($1) }
    writer.optional("run", run) { $0.string($1) }
    writer.key("name")
    writer.string(name)
    writer.optional("group", group) { $0.string($1) }
    writer.optional("members", memberCount) { $0.integer($1) }
    writer.optional("input", input) { $0.byteText($1) }
    writer.optional("inputs", inputs) { writer, inputs in
      writer.beginArray()
      for input in inputs { writer.byteText(input) }
      writer.endArray()
    }
    writer.optional("command", command) { $0.byteText($1) }
    writer.key("outcome")
    writer.string(ending.name)
    writer.optional("cause", cause) { $0.string($1) }
    writer.optional("exit", exit) { $0.integer($1) }
    writer.optional("signal", signal) { $0.integer($1) }
    writer.key("attempt")
    writer.integer(attempt)
    writer.optional("worker", worker) { $0.integer($1.rawValue) }
    appendTimes(to: &writer)
    appendOutputs(to: &writer)
    var offset: Int?
    writer.optional("result", result) { writer, result in
      writer.raw(result.lineIfSmall ?? [])
      if !result.isSmall { offset = writer.bytes.count }
    }
    writer.optional("errorType", errorType) { $0.string($1) }
    writer.optional("errorCode", errorCode) { $0.integer($1) }
    writer.optional("message", message) { $0.string($1) }
    writer.key("resumed")
    writer.bool(isResumed)
    writer.endObject()
    writer.endLine()
    return offset
  }

  private func appendTimes(to writer: inout JSONWriter) {
    writer.optional("queued", queued) { $0.seconds($1) }
    writer.optional("started", started) { $0.seconds($1) }
    writer.optional("finished", finished) { $0.seconds($1) }
    writer.optional("startedAt", timeOfDay(started)) { $0.seconds($1) }
    writer.optional("finishedAt", timeOfDay(finished)) { $0.seconds($1) }
    writer.optional("usage", usage) { $0.usage($1) }
    writer.optional("stepsTaken", stepsTaken.isEmpty ? nil : stepsTaken) { $0.stepsTaken($1) }
  }

  /// Nanoseconds since 1970 of a moment of the run.
  private func timeOfDay(_ moment: Int64?) -> Int64? {
    guard let moment, let runStart else { return nil }
    return runStart.saturatingSum(moment)
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
  fileprivate var name: String {
    switch self {
    case .message: "message"
    case .signal(let number): ProcessSignal(number).description
    }
  }
}
