import PoolContents
import PoolModel
import PoolSystem
import PoolWire

extension OperationExecution {
  /// The message that makes a worker execute it; throws if no frame can hold the message.
  func message(
    _ reference: DispatchReference,
    _ attempt: Int,
    to connection: WorkerConnection,
    within timeLimit: TimeLimit? = nil
  ) throws(InputFailure) -> CoordinatorMessage {
    if connection.place == .thisMachine { try demandStartable() }
    var named: [NamedInput] = []
    for input in inputs {
      named.append(try input.wire(asFile: connection.capabilities.takesInputFiles))
    }
    let content = try content(for: connection)
    let execute = Execute(
      reference: reference,
      attempt: attempt,
      kind: kind,
      qualityOfService: qualityOfService,
      payload: content,
      surroundings: Execute.Surroundings.of(
        name: name,
        queue: queueName,
        inputs: named,
        variables: variables,
        outputs: outputs,
        limits: outputLimits,
        timeLimit: timeLimit
      )
    )
    let message = CoordinatorMessage.execute(execute)
    let inFrame = PackedValue.isPacked(content) ? 0 : content.count
    try Self.demandRoom(for: message, inFrame + named.reduce(0) { $0 + $1.byteCount })
    return message
  }

  /// Refuses a command whose arguments no program can be given; a further attempt would not help.
  private func demandStartable() throws(InputFailure) {
    // No payload takes less room as JSON: most need no closer look.
    guard kind == CommandPayload.kind, let limit = ArgumentLimit.byteCount,
      payload.count + variables.byteCount >= limit,
      let command = payload.withUnsafeBytes({ try? CommandPayload(json: $0) }),
      let excess = command.excess(over: limit, with: variables)
    else { return }
    throw InputFailure("\(excess), and this system hands a program at most \(limit - 1) in one")
  }

  /// The payload, in the form that a worker takes.
  private func content(for connection: WorkerConnection) throws(InputFailure) -> [UInt8] {
    if let standardInput {
      return try standardInput.payload(payload, asFile: connection.capabilities.takesInputFiles)
    }
    return connection.capabilities.takesAttachments ? payload : try Self.json(payload)
  }

  /// Refuses a message that exceeds the frame limit.
  private static func demandRoom(
    for message: CoordinatorMessage,
    _ byteCount: Int
  ) throws(InputFailure) {
    // A byte takes at most six bytes as JSON text: most messages can be judged without encoding
    // them.
    guard byteCount > Frame.defaultLimit / 8 else { return }
    var trial = JSONWriter(capacity: byteCount)
    message.encode(into: &trial)
    guard trial.bytes.count > Frame.defaultLimit else { return }
    throw tooLarge
  }

  /// The JSON of a payload that may be packed, for a worker that takes no attachments.
  private static func json(_ payload: [UInt8]) throws(InputFailure) -> [UInt8] {
    // No packed value takes less room as JSON.
    guard payload.count <= Frame.defaultLimit else { throw tooLarge }
    do throws(PackedError) {
      return try PackedValue.json(payload)
    } catch {
      preconditionFailure("this process has packed it: \(error)")
    }
  }

  private static var tooLarge: InputFailure {
    let limit = Frame.defaultLimit >> 20
    return InputFailure("its payload and inputs are larger than a frame may be: \(limit) MiB")
  }
}

extension NamedInput {
  fileprivate var byteCount: Int {
    switch content {
    case .json(let bytes), .output(let bytes), .file(let bytes): bytes.count
    }
  }
}
