package import PoolModel
package import PoolWire

// The one form of records as text: `Protocol/schema/events.json` describes it.

extension RunRecord {
  /// The version of the form; it changes when a field changes its meaning or goes, not when one is
  /// added.
  package static let formatVersion = 1

  /// How a file of such lines begins.
  package static let fileStart = Array(#"{"type":"runBegan""#.utf8)

  /// Appends the record as a line: a JSON object with all fields of its kind, `null` for those
  /// without a value.
  ///
  /// Times are seconds from the run's start, by a clock that never goes back; operations have the
  /// numbers of the workload, from 1. The argument is the time at which the record is told: never
  /// earlier than that of a line before, though workers may have measured earlier times.
  package func append(to writer: inout JSONWriter, at now: Instant) {
    writer.beginObject()
    writer.field("type", type)
    writer.field("at", seconds: now.nanoseconds)
    appendFields(to: &writer)
    writer.endObject()
    writer.endLine()
  }

  /// Appends what is told, behind its type and time.
  func appendFields(to writer: inout JSONWriter) {
    switch self {
    case .runBegan(let record): record.append(to: &writer)
    case .submitted(let record): record.append(to: &writer)
    case .started(let record): record.append(to: &writer)
    case .attemptEnded(let record): record.append(attemptTo: &writer)
    case .retryPlanned(let record): record.append(to: &writer)
    case .settled(let record, let counts): record.append(settledTo: &writer, counts: counts)
    case .workerGreeted(let record): record.append(to: &writer)
    case .workerEnded(let record): record.append(to: &writer)
    case .steered(let record): record.append(to: &writer)
    case .halted(let record): record.append(to: &writer)
    case .runEnded(let record): record.append(to: &writer)
    }
  }
}

extension RunRecord {
  /// What it tells, as its JSON has it.
  package var type: StaticString {
    switch self {
    case .runBegan: "runBegan"
    case .submitted: "submitted"
    case .started: "started"
    case .attemptEnded: "attemptEnded"
    case .retryPlanned: "retryPlanned"
    case .settled: "settled"
    case .workerGreeted: "workerGreeted"
    case .workerEnded: "workerEnded"
    case .steered: "steered"
    case .halted: "halted"
    case .runEnded: "runEnded"
    }
  }
}

extension JSONWriter {
  /// Writes the number of an operation, from 1.
  @inline(__always)
  mutating func operation(_ number: Int) { field("operation", number + 1) }

  mutating func optionalNumber(
    _ name: StaticString,
    _ value: (some FixedWidthInteger)?
  ) {
    if let value { field(name, value) } else { nullField(name) }
  }
}

// MARK: - The run

extension RunBegan {
  fileprivate func append(to writer: inout JSONWriter) {
    writer.field("format", RunRecord.formatVersion)
    writer.optional("version", version) { $0.string($1) }
    writer.key("run")
    writer.string(run)
    writer.optional("journal", journal) { $0.byteText($1) }
    writer.optionalNumber("epoch", epoch)
    writer.field("startedAt", seconds: start)
    writer.field("pid", process)
    writer.optional("host", host) { $0.byteText($1) }
    writer.optional("boot", boot) { $0.byteText($1) }
    writer.optionalNumber("cores", cores)
    writer.optionalNumber("memory", memory)
    writer.optionalNumber("width", width)
    writer.optional("delay", seconds: delay)
    writer.optional("arguments", arguments) { $0.array($1) { $0.byteText($1) } }
    writer.optional("folder", folder) { $0.byteText($1) }
  }
}

extension RunHalted {
  fileprivate func append(to writer: inout JSONWriter) {
    writer.key("policy")
    writer.string(policy)
    writer.field("failed", failedCount)
    writer.field("succeeded", succeededCount)
  }
}

extension RunEnded {
  fileprivate func append(to writer: inout JSONWriter) {
    writer.field("exit", exitCode)
  }
}

// MARK: - Operations

extension SubmittedRecord {
  fileprivate func append(to writer: inout JSONWriter) {
    writer.operation(number)
    writer.key("id")
    writer.string(description.id)
    writer.optional("key", key) { $0.string($1) }
    writer.key("name")
    writer.string(description.name)
    writer.optionalNumber("members", memberCount)
    writer.optionalNumber("line", description.line)
    writer.optional("kind", kind) { $0.string(Array($1.utf8)) }
    writer.optional("command", description.command) { $0.byteText($1) }
    writer.optional("input", description.input) { $0.byteText($1) }
    writer.optional("inputs", description.inputs) { $0.array($1) { $0.byteText($1) } }
    writer.optionalNumber("group", group.map { $0 + 1 })
    appendRequirements(to: &writer)
  }

  /// What it needs; a group needs nothing itself.
  private func appendRequirements(to writer: inout JSONWriter) {
    let isGroup = memberCount != nil
    writer.key("dependencies")
    writer.objects(dependencies) { writer, dependency in
      writer.operation(dependency.number)
      writer.key("requirement")
      writer.string(dependency.requirement.name)
    }
    writer.key("claims")
    writer.objects(claims) { writer, claim in
      writer.key("name")
      writer.string(claim.name)
      writer.field("units", claim.units)
      writer.key("exclusive")
      writer.bool(claim.isExclusive)
    }
    writer.optionalNumber("slots", isGroup ? nil : slots)
    writer.optional("priority", isGroup ? nil : priority) { $0.string($1.name) }
    writer.key("barrier")
    writer.bool(isBarrier)
    writer.optional("timeout", seconds: timeout)
    writer.optionalNumber("retries", isGroup ? nil : retries)
    writer.optional("expected", seconds: expected)
  }
}

extension AttemptStarted {
  fileprivate func append(to writer: inout JSONWriter) {
    writer.operation(number)
    writer.field("attempt", attempt)
    writer.field("worker", worker.rawValue)
  }
}

extension RetryPlanned {
  fileprivate func append(to writer: inout JSONWriter) {
    writer.operation(number)
    writer.field("attempt", attempt)
    writer.optional("due", seconds: due?.nanoseconds)
    writer.key("reason")
    writer.string(reason)
  }
}

extension EndRecord {
  fileprivate func append(attemptTo writer: inout JSONWriter) {
    writer.operation(number)
    writer.field("attempt", attempt)
    writer.optionalNumber("worker", worker?.rawValue)
    writer.optional("started", seconds: started?.nanoseconds)
    writer.optional("elapsed", seconds: executionTime)
    appendEnding(to: &writer)
    writer.optional("usage", usage) { $0.usage($1) }
    writer.field("stdoutBytes", outputByteCount)
    writer.field("stderrBytes", errorByteCount)
  }

  fileprivate func append(settledTo writer: inout JSONWriter, counts: Bool) {
    writer.operation(number)
    appendEnding(to: &writer)
    writer.optionalNumber("root", root.map { $0.number + 1 })
    writer.optional("rootOutcome", root?.ending) { $0.string($1.name) }
    writer.field("attempts", attempt)
    writer.optional("ready", seconds: queued?.nanoseconds)
    writer.key("counts")
    writer.bool(counts)
    writer.key("resumed")
    writer.bool(isResumed)
    writer.optional("earlierStartedAt", seconds: earlier?.start)
    writer.optional("earlierElapsed", seconds: earlier?.duration)
  }

  private func appendEnding(to writer: inout JSONWriter) {
    writer.key("outcome")
    writer.string(ending.name)
    writer.optional("cause", cause) { $0.string($1.rawValue) }
    writer.optionalNumber("exit", exit)
    writer.optionalNumber("signal", signal)
    writer.optional("errorType", errorType) { $0.string($1) }
    writer.optionalNumber("errorCode", errorCode)
    writer.optional("message", message) { $0.string($1) }
  }
}

// MARK: - Workers

extension WorkerGreeted {
  fileprivate func append(to writer: inout JSONWriter) {
    writer.field("worker", worker.rawValue)
    writer.optionalNumber("pid", process)
    writer.field("configuration", configuration)
    writer.optional("place", place) { $0.string($1) }
    writer.optional("host", host) { $0.string($1) }
  }
}

extension WorkerEnded {
  fileprivate func append(to writer: inout JSONWriter) {
    writer.field("worker", worker.rawValue)
    writer.optionalNumber("pid", process)
    writer.key("manner")
    writer.string(manner)
    var (exit, signal): (Int32?, Int32?) = (nil, nil)
    switch status {
    case .exited(let code): exit = code
    case .signaled(let number): signal = number
    case nil: break
    }
    writer.optionalNumber("exit", exit)
    writer.optionalNumber("signal", signal)
    writer.key("message")
    writer.string(message)
  }
}
