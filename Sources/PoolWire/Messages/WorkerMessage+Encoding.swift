package import PoolModel

extension WorkerMessage {
  /// Appends the message as one frame.
  package func encode(into writer: inout JSONWriter) {
    if encodeUsual(into: &writer) { return }
    if case .finished(_, let answer) = self, let result = answer.result,
      PackedValue.isPacked(result)
    {
      writer.attachment(result)
    }
    let frame = writer.beginFrame()
    switch self {
    case .hello(let hello):
      writer.field("type", "hello")
      writer.hello(hello)
    case .executing(let reference, let process):
      writer.header("executing", reference)
      if let process {
        writer.field("pid", process.pid)
        writer.field("group", process.group)
      }
    case .progress(let reference, let progress):
      writer.header("progress", reference)
      writer.field("completed", progress.completed)
      writer.field("total", progress.total)
    case .log(let reference, let log):
      writer.header("log", reference)
      writer.key("message")
      writer.string(log.message)
    case .output(let reference, let chunk):
      writer.header("output", reference)
      writer.field("stream", chunk.isError ? "stderr" : "stdout")
      writer.key("bytes")
      writer.byteText(chunk.bytes)
    case .printed(let reference):
      writer.header("printed", reference)
    case .written(let reference, let outputs):
      writer.header("written", reference)
      writer.written(outputs)
    case .finished(let reference, let answer):
      writer.header("finished", reference)
      writer.answer(answer)
    case .cancelled(let reference, let answer, let step):
      writer.header("cancelled", reference)
      if let step {
        writer.key("step")
        writer.string(step)
      }
      writer.answer(answer)
    case .returned(let reference):
      writer.header("returned", reference)
    case .pong(let number):
      writer.field("type", "pong")
      writer.field("number", number)
    case .renew(let number):
      writer.field("type", "renew")
      writer.field("number", number)
    case .unknown(let type):
      writer.key("type")
      writer.string(type)
    }
    writer.endFrame(frame)
  }

  /// Appends the message if it has its usual form.
  private func encodeUsual(into writer: inout JSONWriter) -> Bool {
    switch self {
    case .executing(let reference, nil):
      writer.frame(executing: reference)
      return true
    case .finished(let reference, let answer):
      guard answer.isPlain, let result = answer.result, !PackedValue.isPacked(result)
      else { return false }
      return writer.frame(finished: reference, result: result)
    default:
      return false
    }
  }
}

extension JSONWriter {
  mutating func hello(_ hello: Hello) {
    key("versions")
    beginArray()
    for version in hello.versions { integer(version) }
    endArray()
    field("pid", hello.pid)
    if let host = hello.host {
      key("host")
      string(host)
    }
    key("kinds")
    beginArray()
    for kind in hello.kinds { string(kind) }
    endArray()
    field("slots", hello.slots)
    key("capabilities")
    beginArray()
    for capability in Capability.allCases where hello.capabilities.contains(capability) {
      string(capability.rawValue)
    }
    endArray()
    if hello.isRelay {
      key("relay")
      bool(true)
    }
  }

  fileprivate mutating func written(_ outputs: WrittenOutputs) {
    key("stdout")
    byteText(outputs.output.bytes)
    field("stdoutEnd", outputs.output.end)
    key("stderr")
    byteText(outputs.error.bytes)
    field("stderrEnd", outputs.error.end)
  }

  mutating func answer(_ answer: Answer) {
    if let result = answer.result { content("result", result) }
    if let failure = answer.failure {
      key("error")
      self.failure(failure)
    }
    if let usage = answer.usage {
      key("usage")
      self.usage(usage)
    }
    if let elapsed = answer.elapsed { field("elapsed", elapsed) }
    if !answer.stepsTaken.isEmpty { stepsTaken(answer.stepsTaken) }
    if let output = answer.standardOutput {
      key("stdout")
      self.output(output)
    }
    if let output = answer.standardError {
      key("stderr")
      self.output(output)
    }
    if let count = answer.written.output { field("stdoutBytes", count) }
    if let count = answer.written.error { field("stderrBytes", count) }
  }

  private mutating func stepsTaken(_ stepsTaken: [TeardownStepTaken]) {
    key("stepsTaken")
    beginArray()
    for taken in stepsTaken {
      beginObject()
      step(taken.action)
      field("after", taken.microseconds)
      endObject()
    }
    endArray()
  }

  mutating func failure(_ failure: Failure) {
    beginObject()
    key("cause")
    string(failure.cause.rawValue)
    key("message")
    string(failure.message)
    if let type = failure.type {
      key("type")
      string(type)
    }
    if let code = failure.code {
      field("code", code)
    }
    if let value = failure.value {
      key("value")
      raw(value)
    }
    if failure.isDeclared {
      key("declared")
      bool(true)
    }
    endObject()
  }

  /// Writes a usage as an object: microseconds and bytes.
  package mutating func usage(_ usage: PoolResourceUsage, omittingZeros: Bool = false) {
    beginObject()
    if usage.userMicroseconds > 0 || !omittingZeros { field("user", usage.userMicroseconds) }
    if usage.systemMicroseconds > 0 || !omittingZeros { field("system", usage.systemMicroseconds) }
    if usage.peakMemoryBytes > 0 || !omittingZeros { field("peak", usage.peakMemoryBytes) }
    endObject()
  }

  mutating func output(_ output: OutputReference) {
    switch output {
    case .inline(let bytes):
      byteText(bytes)
    case .file(let descriptor, let byteCount):
      beginObject()
      field("descriptor", descriptor)
      field("bytes", byteCount)
      endObject()
    }
  }
}
