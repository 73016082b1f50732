import PoolModel
import PoolWire

extension OperationExecution {
  /// The message that tells a worker to execute it; throws where no frame can hold it.
  func message(
    _ reference: DispatchReference,
    _ attempt: Int,
    to connection: WorkerConnection
  ) throws(InputFailure) -> CoordinatorMessage {
    var named: [NamedInput] = []
    for input in inputs { named.append(try input.wire(asFile: connection.takesInputFiles)) }
    let execute = Execute(
      reference: reference,
      attempt: attempt,
      kind: kind,
      qualityOfService: qualityOfService,
      payload: payload,
      surroundings: Execute.Surroundings.of(name: name, queue: queueName, inputs: named)
    )
    let message = CoordinatorMessage.execute(execute)
    try Self.demandRoom(for: message, payload.count + named.reduce(0) { $0 + $1.byteCount })
    return message
  }

  /// Refuses a message that is larger than a frame may be.
  private static func demandRoom(
    for message: CoordinatorMessage,
    _ byteCount: Int
  ) throws(InputFailure) {
    // A byte takes at most six as JSON text: most messages need not be encoded to be judged.
    guard byteCount > Frame.defaultLimit / 8 else { return }
    var trial = JSONWriter()
    message.encode(into: &trial)
    guard trial.bytes.count > Frame.defaultLimit else { return }
    let limit = Frame.defaultLimit >> 20
    throw InputFailure("its payload and inputs are larger than a frame may be: \(limit) MiB")
  }
}

extension NamedInput {
  fileprivate var byteCount: Int {
    switch content {
    case .json(let bytes), .output(let bytes), .file(let bytes): bytes.count
    }
  }
}
