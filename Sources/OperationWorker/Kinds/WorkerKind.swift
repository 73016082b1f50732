import PoolSystem
package import PoolWire

/// One kind of operation that a worker serves: its name, and what executes it.
public struct WorkerKind: Sendable {
  /// Executes one operation and returns how it ended.
  typealias Body = @Sendable (Execute, WorkerContext) -> Conclusion

  /// How an operation ended.
  enum Conclusion: Sendable {
    /// It succeeded with this result: the most common case, and cheaper to pass on than a message.
    case result([UInt8])
    /// With this answer; indirect, because a large case would make the common one costly to
    /// release.
    indirect case answer(WorkerMessage)
  }

  /// The name that operations of this kind carry.
  public let name: String

  /// Whether its operations execute in processes of their own.
  let startsProcesses: Bool

  let execute: Body

  /// Serves operations of a type.
  public static func operation<Operation: WorkerOperation>(
    _ type: Operation.Type
  ) -> Self {
    let kind = Operation.kind
    return raw(checking: false, kind) { payload, context in
      let operation = try PayloadCoding.decode(type, from: payload, kind: kind)
      return try result(operation.main(context), in: context)
    }
  }

  /// Serves operations of a type whose `main` suspends.
  public static func asyncOperation<Operation: AsyncWorkerOperation>(
    _ type: Operation.Type
  ) -> Self {
    let kind = Operation.kind
    return raw(checking: false, kind) { payload, context in
      let operation = try PayloadCoding.decode(type, from: payload, kind: kind)
      let output = try AsyncExecution.wait(in: context) { try await operation.main(context) }
      return try result(output, in: context)
    }
  }

  /// A value as a result: packed only where the coordinator takes blocks.
  private static func result(_ value: some Encodable, in context: WorkerContext) throws -> [UInt8] {
    let result = try PayloadCoding.encode(value, packs: true)
    guard PackedValue.isPacked(result), context.connection.welcome?.blockLimit == nil else {
      return result
    }
    return try PayloadCoding.encode(value)
  }

  /// Serves operations whose payload and result are JSON in bytes, with no coding in between.
  ///
  /// A result that is not one JSON value is reported as the operation's failure.
  public static func raw(
    _ name: String,
    _ body: @escaping @Sendable (_ payload: [UInt8], _ context: WorkerContext) throws -> [UInt8]
  ) -> Self {
    raw(checking: true, name, body)
  }

  /// Serves commands.
  package static var command: Self {
    let executor = CommandExecutor(environment: .current)
    return Self(name: CommandPayload.kind, startsProcesses: true) { execute, context in
      .answer(executor.execute(execute, in: context.connection))
    }
  }

  private static func raw(
    checking checks: Bool,
    _ name: String,
    _ body: @escaping @Sendable ([UInt8], WorkerContext) throws -> [UInt8]
  ) -> Self {
    Self(name: name, startsProcesses: false) { execute, context in
      let place = ThreadContext.own()
      place.context = context
      defer { place.context = nil }
      do {
        // Kinds that read the bytes themselves get JSON.
        let payload = checks ? try PackedValue.json(execute.payload) : execute.payload
        let result = try body(payload, context)
        if checks { try PayloadCoding.check(result, kind: name) }
        return .result(result)
      } catch {
        return conclusion(of: error, context)
      }
    }
  }

  /// The conclusion of an operation that threw.
  private static func conclusion(of error: any Error, _ context: WorkerContext) -> Conclusion {
    guard let failure = Failure(thrown: error, wasAsked: context.isCancelled) else {
      return .answer(.cancelled(context.reference, Answer(), step: "message"))
    }
    return .answer(.finished(context.reference, Answer(failure: failure)))
  }
}

extension Failure {
  /// The failure of an operation that threw; nil if it was asked to stop, and threw because of
  /// that.
  package init?(thrown error: any Error, wasAsked: Bool) {
    if wasAsked, error is WorkerCancellation || error is CancellationError { return nil }
    // The description of an error may be a whole document.
    let message = String(String(describing: error).prefix(4_096))
    self.init(cause: .error, message: message, type: "\(Swift.type(of: error))")
  }
}
