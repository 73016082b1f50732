import PoolModel

extension CoordinatorMessage {
  /// Decodes one frame's body, in any form of JSON.
  ///
  /// An attachment before it must be its payload.
  package init(
    scanning body: UnsafeRawBufferPointer,
    attachment: [UInt8]? = nil
  ) throws(Violation) {
    var fields = try MessageFields(body: body)
    fields.attachment = attachment
    let type = try fields.requireType()
    if attachment != nil { try fields.demandPacked(type, "execute") }
    if fields.matches(type, "execute") {
      self = .execute(try fields.execute())
    } else if fields.matches(type, "cancel") {
      let reference = try fields.reference()
      self = .cancel(reference, try fields.require("steps", fields.teardown()))
    } else if fields.matches(type, "recall") {
      self = .recall(try fields.reference())
    } else if fields.matches(type, "release") {
      self = .release(try fields.reference())
    } else if fields.matches(type, "ping") {
      self = .ping(try fields.require("number", fields.integer("number")))
    } else if fields.matches(type, "renewed") {
      self = .renewed(try fields.require("number", fields.integer("number")))
    } else if fields.matches(type, "grant") {
      self = .grant(try fields.require("bytes", fields.integer("bytes")))
    } else if fields.matches(type, "stop") {
      self = .stop(lease: try fields.require("lease", fields.integer("lease")))
    } else if fields.matches(type, "continue") {
      self = .proceed
    } else if fields.matches(type, "drain") {
      self = .drain
    } else if fields.matches(type, "tail") {
      self = .tail(try fields.reference(), try fields.tail())
    } else if fields.matches(type, "welcome") {
      self = .welcome(try fields.welcome())
    } else {
      self = .unknown(fields.text(of: type))
    }
  }
}

extension CoordinatorMessage {
  /// Decodes one frame's body; an `execute` that can be answered with its error has that as a flaw.
  package init(
    answerable body: UnsafeRawBufferPointer,
    attachment: [UInt8]? = nil
  ) throws(Violation) {
    do throws(Violation) {
      self = try Self(scanning: body, attachment: attachment)
    } catch {
      guard let operation = Execute(flawed: body, error) else { throw error }
      self = .execute(operation)
    }
  }
}

extension Execute {
  /// An `execute` whose error is not in the numbers that name it, and not before them if it is no
  /// JSON; nil for other messages.
  ///
  /// It can be answered, so that the error costs its own operation and not its worker.
  init?(flawed body: UnsafeRawBufferPointer, _ violation: Violation) {
    let flaw: String
    switch violation {
    case .notJSON(let error): flaw = "the 'execute' is not a JSON object: \(error)"
    case .field(let name, _): flaw = "the 'execute' has a wrong or missing '\(name)'"
    default: return nil
    }
    let fields = MessageFields(startOf: body)
    guard let type = try? fields.requireType(), fields.matches(type, "execute"),
      let reference = try? fields.reference()
    else { return nil }
    self.init(
      reference: reference,
      attempt: 1,
      kind: "",
      payload: MessageFields.null,
      surroundings: Surroundings.of(flaw: flaw)
    )
  }
}

extension WorkerMessage {
  /// Decodes one frame's body.
  package init(body: UnsafeRawBufferPointer) throws(Violation) {
    if let message = Self(canonical: body) {
      self = message
    } else {
      self = try Self(scanning: body)
    }
  }

  /// Decodes one frame's body, in any form of JSON.
  ///
  /// An attachment before it must be its result.
  package init(
    scanning body: UnsafeRawBufferPointer,
    attachment: [UInt8]? = nil
  ) throws(Violation) {
    var fields = try MessageFields(body: body)
    fields.attachment = attachment
    let type = try fields.requireType()
    if let attachment {
      try fields.demandPacked(type, "finished")
      do throws(PackedError) {
        try PackedValue.check(attachment)
      } catch {
        throw .wrongAttachment(error)
      }
    }
    if fields.matches(type, "executing") {
      self = .executing(try fields.reference(), try fields.processGroup())
    } else if fields.matches(type, "finished") {
      self = .finished(try fields.reference(), try fields.answer())
    } else if fields.matches(type, "cancelled") {
      let reference = try fields.reference()
      self = .cancelled(reference, try fields.answer(), step: try fields.text("step"))
    } else if fields.matches(type, "returned") {
      self = .returned(try fields.reference())
    } else if fields.matches(type, "pong") {
      self = .pong(try fields.require("number", fields.integer("number")))
    } else if fields.matches(type, "renew") {
      self = .renew(try fields.require("number", fields.integer("number")))
    } else if fields.matches(type, "hello") {
      self = .hello(try fields.hello())
    } else if fields.matches(type, "progress") {
      self = .progress(try fields.reference(), try fields.progress())
    } else if fields.matches(type, "log") {
      self = .log(try fields.reference(), try fields.log())
    } else if fields.matches(type, "printed") {
      self = .printed(try fields.reference())
    } else if fields.matches(type, "output") {
      self = .output(try fields.reference(), try fields.outputChunk())
    } else if fields.matches(type, "written") {
      self = .written(try fields.reference(), try fields.written())
    } else {
      self = .unknown(fields.excerpt(of: type))
    }
  }
}

// MARK: - Messages from the coordinator

extension MessageFields {
  fileprivate func execute() throws(Violation) -> Execute {
    let kind = try read("kind", at: kind) { scanner throws(JSONError) in try scanner.string() }
    let attempt: Int? = try read("attempt", at: attempt) { scanner throws(JSONError) in
      try scanner.integer()
    }
    let isPlain = isPlain
    return Execute(
      reference: try reference(),
      attempt: attempt ?? 1,
      kind: try require("kind", kind),
      qualityOfService: isPlain ? .default : try qualityOfService(),
      payload: try content(at: payload) ?? Self.null,
      surroundings: isPlain ? nil : try surroundings()
    )
  }

  private func qualityOfService() throws(Violation) -> PoolQualityOfService {
    try text("qos").flatMap(PoolQualityOfService.init(name:)) ?? .default
  }

  private func surroundings() throws(Violation) -> Execute.Surroundings? {
    Execute.Surroundings.of(
      name: try text("name"),
      queue: try text("queue"),
      inputs: try read("inputs") { scanner throws(JSONError) in try scanner.inputs() } ?? [],
      variables: try read("variables") { scanner throws(JSONError) in
        try ExecutionVariables(from: &scanner)
      } ?? .none,
      outputs: try text("outputs").flatMap(OutputHandling.init(rawValue:)) ?? .kept,
      limits: try read("limits") { scanner throws(JSONError) in try scanner.outputLimits() },
      timeLimit: try read("timeout") { scanner throws(JSONError) in try scanner.timeLimit() } ?? nil
    )
  }

  fileprivate func welcome() throws(Violation) -> Welcome {
    let acceptsFiles = try read("files") { scanner throws(JSONError) in try scanner.bool() }
    return Welcome(
      version: try require("version", integer("version")),
      worker: WorkerID(rawValue: try require("worker", integer("worker"))),
      frameLimit: try integer("frameLimit") ?? Frame.defaultLimit,
      acceptsFiles: acceptsFiles ?? false,
      outbox: try read("outbox") { scanner throws(JSONError) in try scanner.outboxPlace() },
      attachmentLimit: try integer("attachmentLimit"),
      slot: try integer("slot"),
      printMark: (try integer("printMark") as UInt64?).map { PrintMark(number: $0) },
      streams: try read("streams") { scanner throws(JSONError) in try scanner.streams() },
      outputGrace: try integer("outputGrace"),
      isSealed: try read("checksum") { scanner throws(JSONError) in try scanner.bool() } ?? false,
      lease: try integer("lease"),
      window: try integer("window")
    )
  }

  fileprivate func teardown() throws(Violation) -> PoolTeardownSequence? {
    try read("steps") { scanner throws(JSONError) in try scanner.teardown() }
  }

  fileprivate func tail() throws(Violation) -> TailRequest {
    TailRequest(
      byteCount: try require("bytes", integer("bytes")),
      output: try integer("stdoutFrom"),
      error: try integer("stderrFrom")
    )
  }
}

// MARK: - Messages from workers

extension MessageFields {
  fileprivate func hello() throws(Violation) -> Hello {
    let versions: [Int]? = try read("versions") { scanner throws(JSONError) in
      try scanner.list { scanner throws(JSONError) in try scanner.integer() }
    }
    return Hello(
      versions: try require("versions", versions),
      pid: try integer("pid") ?? 0,
      host: try text("host"),
      kinds: try require("kinds", texts("kinds")),
      slots: try integer("slots") ?? 1,
      capabilities: Set((try texts("capabilities") ?? []).compactMap(Capability.init(rawValue:))),
      isRelay: try read("relay") { scanner throws(JSONError) in try scanner.bool() } ?? false
    )
  }

  @inline(__always)
  fileprivate func processGroup() throws(Violation) -> ProcessGroup? {
    guard let pid: Int32 = try integer("pid"), let group: Int32 = try integer("group")
    else { return nil }
    return ProcessGroup(pid: pid, group: group)
  }

  /// Both `result` and `error` may be absent.
  fileprivate func answer() throws(Violation) -> Answer {
    guard !isPlain else { return Answer(result: json(at: result)) }
    return Answer(
      result: try content(at: result),
      failure: try read("error") { scanner throws(JSONError) in try scanner.failure() },
      usage: try read("usage") { scanner throws(JSONError) in try scanner.usage() },
      elapsed: try elapsed(),
      standardOutput: try read("stdout") { scanner throws(JSONError) in try scanner.output() },
      standardError: try read("stderr") { scanner throws(JSONError) in try scanner.output() },
      written: WrittenCounts(output: try integer("stdoutBytes"), error: try integer("stderrBytes")),
      stepsTaken: try read("stepsTaken") { scanner throws(JSONError) in try scanner.stepsTaken() }
        ?? []
    )
  }

  /// No execution takes less than no time.
  private func elapsed() throws(Violation) -> Int64? {
    let elapsed: Int64? = try integer("elapsed")
    return try elapsed.map { (time) throws(Violation) in
      try require("elapsed", time < 0 ? nil : time)
    }
  }

  fileprivate func progress() throws(Violation) -> PoolProgress {
    PoolProgress(
      completed: try require("completed", integer("completed")),
      total: try require("total", integer("total"))
    )
  }

  fileprivate func log() throws(Violation) -> Log {
    Log(message: try require("message", text("message")))
  }

  fileprivate func outputChunk() throws(Violation) -> OutputChunk {
    let bytes = try read("bytes") { scanner throws(JSONError) in try scanner.byteText() }
    return OutputChunk(
      isError: try require("stream", text("stream")) == "stderr",
      bytes: try require("bytes", bytes)
    )
  }

  fileprivate func written() throws(Violation) -> WrittenOutputs {
    WrittenOutputs(
      output: try written("stdout", "stdoutEnd"),
      error: try written("stderr", "stderrEnd")
    )
  }

  /// The last bytes of a piece that is too long.
  private func written(
    _ name: StaticString,
    _ end: StaticString
  ) throws(Violation) -> WrittenPiece {
    let bytes = try read(name) { scanner throws(JSONError) in try scanner.byteText() }
    return WrittenPiece((bytes ?? []).suffix(TailRequest.limit), end: try integer(end) ?? 0)
  }
}
