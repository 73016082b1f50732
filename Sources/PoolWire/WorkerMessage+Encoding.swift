package import PoolModel

extension WorkerMessage {
  /// Appends the message as one frame.
  package func encode(into writer: inout JSONWriter) {
    let frame = writer.beginFrame()
    writer.key("type")
    switch self {
    case .hello(let hello):
      writer.string("hello")
      writer.hello(hello)
    case .executing(let reference, let process):
      writer.string("executing")
      writer.reference(reference)
      if let process {
        writer.key("pid")
        writer.integer(process.pid)
        writer.key("group")
        writer.integer(process.group)
      }
    case .progress(let reference, let progress):
      writer.string("progress")
      writer.reference(reference)
      writer.key("completed")
      writer.integer(progress.completed)
      writer.key("total")
      writer.integer(progress.total)
    case .log(let reference, let log):
      writer.string("log")
      writer.reference(reference)
      writer.key("message")
      writer.string(log.message)
    case .output(let reference, let chunk):
      writer.string("output")
      writer.reference(reference)
      writer.key("stream")
      writer.string(chunk.isError ? "stderr" : "stdout")
      writer.key("bytes")
      writer.byteText(chunk.bytes)
    case .finished(let reference, let answer):
      writer.string("finished")
      writer.reference(reference)
      writer.answer(answer)
    case .cancelled(let reference, let answer, let rung):
      writer.string("cancelled")
      writer.reference(reference)
      if let rung {
        writer.key("rung")
        writer.string(rung)
      }
      writer.answer(answer)
    case .returned(let reference):
      writer.string("returned")
      writer.reference(reference)
    case .pong(let number):
      writer.string("pong")
      writer.key("number")
      writer.integer(number)
    case .unknown(let type):
      writer.string(type)
    }
    writer.endFrame(frame)
  }
}

extension JSONWriter {
  mutating func hello(_ hello: Hello) {
    key("versions")
    beginArray()
    for version in hello.versions { integer(version) }
    endArray()
    key("pid")
    integer(hello.pid)
    key("kinds")
    beginArray()
    for kind in hello.kinds { string(kind) }
    endArray()
    key("slots")
    integer(hello.slots)
    key("capabilities")
    beginArray()
    for capability in Capability.allCases where hello.capabilities.contains(capability) {
      string(capability.rawValue)
    }
    endArray()
  }

  mutating func answer(_ answer: Answer) {
    if let result = answer.result {
      key("result")
      raw(result)
    }
    if let failure = answer.failure {
      key("error")
      self.failure(failure)
    }
    if let usage = answer.usage {
      key("usage")
      self.usage(usage)
    }
    if let output = answer.standardOutput {
      key("stdout")
      self.output(output)
    }
    if let output = answer.standardError {
      key("stderr")
      self.output(output)
    }
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
      key("code")
      integer(code)
    }
    endObject()
  }

  /// Writes a usage as an object: microseconds and bytes.
  package mutating func usage(_ usage: PoolResourceUsage) {
    beginObject()
    key("user")
    integer(usage.userMicroseconds)
    key("system")
    integer(usage.systemMicroseconds)
    key("peak")
    integer(usage.peakMemoryBytes)
    endObject()
  }

  mutating func output(_ output: OutputReference) {
    switch output {
    case .inline(let bytes):
      byteText(bytes)
    case .file(let descriptor, let byteCount):
      beginObject()
      key("descriptor")
      integer(descriptor)
      key("bytes")
      integer(byteCount)
      endObject()
    }
  }
}
