import PoolModel

extension CoordinatorMessage {
  /// Appends the message as one frame.
  package func encode(into writer: inout JSONWriter) {
    if encodeUsual(into: &writer) { return }
    if case .execute(let execute) = self, PackedValue.isPacked(execute.payload) {
      writer.attachment(execute.payload)
    }
    let frame = writer.beginFrame()
    switch self {
    case .welcome(let welcome):
      writer.field("type", "welcome")
      writer.field("version", welcome.version)
      writer.field("worker", welcome.worker.rawValue)
      writer.field("frameLimit", welcome.frameLimit)
      writer.key("files")
      writer.bool(welcome.acceptsFiles)
      if let outbox = welcome.outbox { writer.outbox(outbox) }
      if let limit = welcome.attachmentLimit { writer.field("attachmentLimit", limit) }
      if let slot = welcome.slot { writer.field("slot", slot) }
      if let mark = welcome.printMark { writer.field("printMark", mark.number) }
      if let streams = welcome.streams { writer.streams(streams) }
      if let grace = welcome.outputGrace { writer.field("outputGrace", grace) }
      if welcome.isSealed {
        writer.key("checksum")
        writer.bool(true)
      }
      if let lease = welcome.lease { writer.field("lease", lease) }
      if let window = welcome.window { writer.field("window", window) }
    case .execute(let execute):
      writer.header("execute", execute.reference)
      writer.execute(execute)
    case .cancel(let reference, let teardown):
      writer.header("cancel", reference)
      writer.teardown(teardown)
    case .recall(let reference):
      writer.header("recall", reference)
    case .release(let reference):
      writer.header("release", reference)
    case .tail(let reference, let request):
      writer.header("tail", reference)
      writer.tail(request)
    case .ping(let number):
      writer.field("type", "ping")
      writer.field("number", number)
    case .renewed(let number):
      writer.field("type", "renewed")
      writer.field("number", number)
    case .grant(let bytes):
      writer.field("type", "grant")
      writer.field("bytes", bytes)
    case .stop(let lease):
      writer.field("type", "stop")
      writer.field("lease", lease)
    case .proceed:
      writer.field("type", "continue")
    case .drain:
      writer.field("type", "drain")
    case .unknown(let type):
      writer.key("type")
      writer.string(type)
    }
    writer.endFrame(frame)
  }

  /// Appends the message if it has its usual form.
  private func encodeUsual(into writer: inout JSONWriter) -> Bool {
    guard case .execute(let execute) = self, execute.qualityOfService == .default,
      !PackedValue.isPacked(execute.payload)
    else { return false }
    let (reference, attempt) = (execute.reference, execute.attempt)
    guard let surroundings = execute.surroundings else {
      return writer.frame(
        execute: reference,
        attempt: attempt,
        kind: execute.kind,
        payload: execute.payload
      )
    }
    return surroundings.isVariables
      && writer.frame(
        execute: reference,
        attempt: attempt,
        kind: execute.kind,
        payload: execute.payload,
        variables: surroundings.variables
      )
  }
}

extension JSONWriter {
  fileprivate mutating func outbox(_ outbox: OutboxPlace) {
    key("outbox")
    beginObject()
    field("pid", outbox.pid)
    field("descriptor", outbox.descriptor)
    field("bytes", outbox.bytes)
    if let number = outbox.number { field("number", number) }
    endObject()
  }

  fileprivate mutating func streams(_ streams: InheritedStreams) {
    key("streams")
    beginObject()
    field("stdout", streams.output)
    field("stderr", streams.error)
    endObject()
  }

  fileprivate mutating func tail(_ request: TailRequest) {
    field("bytes", request.byteCount)
    if let offset = request.output { field("stdoutFrom", offset) }
    if let offset = request.error { field("stderrFrom", offset) }
  }

  /// Writes the fields of an `execute` after its reference.
  mutating func execute(_ execute: Execute) {
    field("attempt", execute.attempt)
    key("kind")
    string(execute.kind)
    if execute.qualityOfService != .default {
      key("qos")
      string(execute.qualityOfService.name)
    }
    content("payload", execute.payload)
    if let surroundings = execute.surroundings { self.surroundings(surroundings) }
  }

  /// Writes a payload or a result, or a note that it is the attachment before the frame.
  mutating func content(_ name: StaticString, _ content: [UInt8]) {
    if PackedValue.isPacked(content) {
      key("packed")
      bool(true)
    } else {
      key(name)
      raw(content)
    }
  }

  private mutating func surroundings(_ surroundings: Execute.Surroundings) {
    if let name = surroundings.name {
      key("name")
      string(name)
    }
    if let queue = surroundings.queue {
      key("queue")
      string(queue)
    }
    if !surroundings.variables.isEmpty {
      key("variables")
      raw(surroundings.variables.json)
    }
    if surroundings.outputs != .kept {
      key("outputs")
      string(surroundings.outputs.rawValue)
    }
    if let limits = surroundings.limits {
      key("limits")
      beginObject()
      limit("stdout", limits.output)
      limit("stderr", limits.error)
      endObject()
    }
    if let timeLimit = surroundings.timeLimit {
      key("timeout")
      beginObject()
      field("after", timeLimit.nanoseconds / 1_000)
      teardown(timeLimit.teardown)
      endObject()
    }
    guard !surroundings.inputs.isEmpty else { return }
    key("inputs")
    beginObject()
    for input in surroundings.inputs {
      key(Array(input.name.utf8))
      self.input(input.content)
    }
    endObject()
  }

  private mutating func limit(_ name: StaticString, _ limit: OutputLimit) {
    key(name)
    beginObject()
    field("bytes", limit.byteCount)
    field("excess", limit.fails ? "fail" : "truncate")
    endObject()
  }

  private mutating func input(_ content: NamedInput.Content) {
    beginObject()
    switch content {
    case .json(let json):
      key("json")
      raw(json)
    case .output(let bytes):
      key("output")
      byteText(bytes)
    case .file(let path):
      key("file")
      byteText(path)
    }
    endObject()
  }

  mutating func teardown(_ teardown: PoolTeardownSequence) {
    key("steps")
    beginArray()
    for step in teardown.steps {
      beginObject()
      self.step(step.action)
      field("grace", step.graceMilliseconds)
      endObject()
    }
    endArray()
  }

  /// Writes the fields of a step's action.
  mutating func step(_ step: PoolTeardownSequence.Action) {
    switch step {
    case .message:
      field("step", "message")
    case .signal(let signal):
      field("step", "signal")
      field("signal", signal)
    }
  }
}
