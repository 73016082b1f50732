import PoolModel

extension CoordinatorMessage {
  /// Appends the message as one frame.
  package func encode(into writer: inout JSONWriter) {
    let frame = writer.beginFrame()
    writer.key("type")
    switch self {
    case .welcome(let welcome):
      writer.string("welcome")
      writer.key("version")
      writer.integer(welcome.version)
      writer.key("worker")
      writer.integer(welcome.worker.rawValue)
      writer.key("frameLimit")
      writer.integer(welcome.frameLimit)
      writer.key("files")
      writer.bool(welcome.acceptsFiles)
    case .execute(let execute):
      writer.string("execute")
      writer.execute(execute)
    case .cancel(let reference, let ladder):
      writer.string("cancel")
      writer.reference(reference)
      writer.ladder(ladder)
    case .recall(let reference):
      writer.string("recall")
      writer.reference(reference)
    case .release(let reference):
      writer.string("release")
      writer.reference(reference)
    case .ping(let number):
      writer.string("ping")
      writer.key("number")
      writer.integer(number)
    case .drain:
      writer.string("drain")
    case .unknown(let type):
      writer.string(type)
    }
    writer.endFrame(frame)
  }
}

extension JSONWriter {
  /// Writes the two numbers that every message about an operation carries.
  mutating func reference(_ reference: DispatchReference) {
    key("operation")
    integer(reference.operation.rawValue)
    key("dispatch")
    integer(reference.dispatch.rawValue)
  }

  mutating func execute(_ execute: Execute) {
    reference(execute.reference)
    key("attempt")
    integer(execute.attempt)
    key("kind")
    string(execute.kind)
    if execute.qualityOfService != .default {
      key("qos")
      string(execute.qualityOfService.name)
    }
    key("payload")
    raw(execute.payload)
  }

  mutating func ladder(_ ladder: PoolTerminationLadder) {
    key("ladder")
    beginArray()
    for step in ladder.steps {
      beginObject()
      switch step.rung {
      case .message:
        key("step")
        string("message")
      case .signal(let signal):
        key("step")
        string("signal")
        key("signal")
        integer(signal)
      }
      key("grace")
      integer(step.graceMilliseconds)
      endObject()
    }
    endArray()
  }
}
