import PoolModel

extension CoordinatorMessage {
  /// Reads one frame's body.
  package init(body: UnsafeRawBufferPointer) throws(Violation) {
    var scanner = JSONScanner(body)
    let fields = try MessageFields.read(&scanner)
    let type = try fields.require(fields.type, "type", in: "message")
    if scanner.matches(type, "execute") {
      self = .execute(try fields.execute(scanner))
    } else if scanner.matches(type, "cancel") {
      let ladder = try fields.require(fields.ladder, "ladder", in: "cancel")
      self = .cancel(try fields.reference(in: "cancel"), ladder)
    } else if scanner.matches(type, "recall") {
      self = .recall(try fields.reference(in: "recall"))
    } else if scanner.matches(type, "release") {
      self = .release(try fields.reference(in: "release"))
    } else if scanner.matches(type, "ping") {
      self = .ping(try fields.require(fields.number, "number", in: "ping"))
    } else if scanner.matches(type, "drain") {
      self = .drain
    } else if scanner.matches(type, "welcome") {
      self = .welcome(try fields.welcome())
    } else {
      self = .unknown(scanner.text(of: type))
    }
  }
}

extension WorkerMessage {
  /// Reads one frame's body.
  package init(body: UnsafeRawBufferPointer) throws(Violation) {
    var scanner = JSONScanner(body)
    let fields = try MessageFields.read(&scanner)
    let type = try fields.require(fields.type, "type", in: "message")
    if scanner.matches(type, "executing") {
      self = .executing(try fields.reference(in: "executing"), fields.processGroup)
    } else if scanner.matches(type, "finished") {
      self = .finished(try fields.reference(in: "finished"), fields.answer(scanner))
    } else if scanner.matches(type, "cancelled") {
      let reference = try fields.reference(in: "cancelled")
      self = .cancelled(reference, fields.answer(scanner), rung: fields.rung)
    } else if scanner.matches(type, "returned") {
      self = .returned(try fields.reference(in: "returned"))
    } else if scanner.matches(type, "pong") {
      self = .pong(try fields.require(fields.number, "number", in: "pong"))
    } else if scanner.matches(type, "hello") {
      self = .hello(try fields.hello())
    } else if let report = try Self.report(type, scanner, fields) {
      self = report
    } else {
      self = .unknown(scanner.text(of: type))
    }
  }

  /// What an executing operation says of itself, or nil where the type is not one of those.
  private static func report(
    _ type: JSONStringRange,
    _ scanner: JSONScanner,
    _ fields: MessageFields
  ) throws(Violation) -> Self? {
    if scanner.matches(type, "progress") {
      let completed = try fields.require(fields.completed, "completed", in: "progress")
      let total = try fields.require(fields.total, "total", in: "progress")
      let progress = Progress(completed: completed, total: total)
      return .progress(try fields.reference(in: "progress"), progress)
    }
    if scanner.matches(type, "log") {
      let message = try fields.require(fields.message, "message", in: "log")
      return .log(try fields.reference(in: "log"), Log(message: message))
    }
    guard scanner.matches(type, "output") else { return nil }
    let stream = try fields.require(fields.stream, "stream", in: "output")
    let bytes = try fields.require(fields.bytes, "bytes", in: "output")
    let chunk = OutputChunk(isError: stream == "stderr", bytes: bytes)
    return .output(try fields.reference(in: "output"), chunk)
  }
}

extension MessageFields {
  /// Reads the fields of a whole body; malformed JSON is a violation.
  @inline(__always)
  fileprivate static func read(_ scanner: inout JSONScanner) throws(Violation) -> Self {
    do throws(JSONError) {
      return try Self(&scanner)
    } catch {
      throw .notJSON(error)
    }
  }

  fileprivate var processGroup: ProcessGroup? {
    guard let pid, let group else { return nil }
    return ProcessGroup(pid: pid, group: group)
  }

  fileprivate func execute(_ scanner: JSONScanner) throws(Violation) -> Execute {
    Execute(
      reference: try reference(in: "execute"),
      attempt: attempt ?? 1,
      kind: try require(kind, "kind", in: "execute"),
      qualityOfService: qualityOfService ?? .default,
      payload: payload.map { Array(scanner.slice($0)) } ?? Array("null".utf8)
    )
  }

  fileprivate func welcome() throws(Violation) -> Welcome {
    Welcome(
      version: try require(version, "version", in: "welcome"),
      worker: WorkerID(rawValue: try require(worker, "worker", in: "welcome")),
      frameLimit: frameLimit ?? Frame.defaultLimit,
      acceptsFiles: acceptsFiles ?? false
    )
  }

  fileprivate func hello() throws(Violation) -> Hello {
    Hello(
      versions: try require(versions, "versions", in: "hello"),
      pid: pid ?? 0,
      kinds: try require(kinds, "kinds", in: "hello"),
      slots: slots ?? 1,
      capabilities: Set((capabilities ?? []).compactMap(Capability.init(rawValue:)))
    )
  }
}
