import PoolModel
import PoolSystem
import PoolWire

/// One kind of operation that a worker serves: its name and its body.
public struct WorkerKind: Sendable {
  /// Executes one operation and returns its conclusion.
  typealias Body = @Sendable (Execute, WorkerContext) -> Conclusion

  /// The name that operations of this kind carry.
  public let name: String

  /// Whether its operations execute in processes of their own.
  let startsProcesses: Bool

  /// Whether the resource usage of its executions is measured.
  private(set) var measuresUsage = false

  let execute: Body

  /// The same kind, with a measurement of what each execution uses, which `outcome.usage` has then.
  ///
  /// It is the processor time of all threads of the worker, and of the child processes that it has
  /// waited for meanwhile; and the largest resident memory of the worker, without those. On Linux
  /// that is the peak during the execution, elsewhere since the worker's start. What earlier
  /// operations have left running in the worker counts, too.
  ///
  /// Workers in the coordinator's own process measure nothing.
  ///
  /// Measuring takes a few system calls for each execution, which are longer than an operation that
  /// does nothing.
  public func measuringUsage() -> Self {
    var kind = self
    kind.measuresUsage = true
    return kind
  }

  /// Serves operations of a type.
  public static func operation<Operation: WorkerOperation>(
    _ type: Operation.Type
  ) -> Self {
    let kind = Operation.kind
    return raw(checking: false, kind, declaring: Operation.Failure.self) { input, context, thread in
      let operation = try value(type, from: input, of: kind, on: thread)
      return try result(operation.main(context), of: kind, in: context, on: thread)
    }
  }

  /// Serves operations of a type whose `main` suspends.
  public static func operation<Operation: AsyncWorkerOperation>(
    _ type: Operation.Type
  ) -> Self {
    let kind = Operation.kind
    return raw(checking: false, kind, declaring: Operation.Failure.self) { input, context, thread in
      let operation = try value(type, from: input, of: kind, on: thread)
      let output = try AsyncExecution.wait(in: context) { try await operation.main(context) }
      return try result(output, of: kind, in: context, on: thread)
    }
  }

  /// Another name of `operation`, for types whose `main` suspends.
  public static func asyncOperation<Operation: AsyncWorkerOperation>(
    _ type: Operation.Type
  ) -> Self {
    operation(type)
  }

  /// The value of a payload.
  private static func value<Value: Decodable>(
    _ type: Value.Type,
    from payload: [UInt8],
    of kind: String,
    on thread: ThreadContext
  ) throws -> Value {
    do {
      return try thread.decode(type, from: payload)
    } catch {
      throw PayloadError(message: "the payload is no '\(kind)': \(error)")
    }
  }

  /// A value as a result; packed only if the coordinator accepts attachments.
  private static func result(
    _ value: some Encodable,
    of kind: String,
    in context: WorkerContext,
    on thread: ThreadContext
  ) throws -> [UInt8] {
    do {
      let result = try thread.encode(value)
      guard PackedValue.isPacked(result), context.connection.welcome?.attachmentLimit == nil else {
        return result
      }
      return try PayloadCoding.encode(value)
    } catch {
      throw PayloadError(message: "the result of '\(kind)' cannot be written as JSON: \(error)")
    }
  }

  /// Serves operations whose payload and result are JSON in bytes, with no coding in between.
  ///
  /// A result that is not one JSON value is reported as the operation's failure.
  public static func raw(
    _ name: String,
    _ body: @escaping @Sendable (_ payload: [UInt8], _ context: WorkerContext) throws -> [UInt8]
  ) -> Self {
    raw(checking: true, name) { payload, context, _ in try body(payload, context) }
  }

  /// Serves commands.
  package static var command: Self {
    let executor = CommandExecutor(environment: .current)
    return Self(name: CommandPayload.kind, startsProcesses: true) { execute, context in
      .answer(executor.execute(execute, in: context.connection))
    }
  }

  private static func raw<Thrown: Error>(
    checking checks: Bool,
    _ name: String,
    declaring type: Thrown.Type = UndeclaredFailure.self,
    _ body: @escaping @Sendable ([UInt8], WorkerContext, ThreadContext) throws -> [UInt8]
  ) -> Self {
    Self(name: name, startsProcesses: false) { execute, context in
      let thread = ThreadContext.own()
      thread.context = context
      defer { thread.context = nil }
      do {
        // Kinds that read the bytes themselves get JSON.
        let payload = checks ? try PackedValue.json(execute.payload) : execute.payload
        let result = try body(payload, context, thread)
        if checks { try PayloadCoding.check(result, kind: name) }
        return .result(result)
      } catch {
        return conclusion(of: error, isDeclared: error is Thrown, context)
      }
    }
  }

  /// The conclusion of an operation that threw.
  private static func conclusion(
    of error: any Error,
    isDeclared: Bool,
    _ context: WorkerContext
  ) -> Conclusion {
    let limit = context.connection.welcome?.frameLimit ?? 0
    guard
      let failure = Failure(
        thrown: error,
        isDeclared: isDeclared,
        wasAsked: context.isCancelled,
        frameLimit: limit
      )
    else {
      return .answer(.cancelled(context.reference, Answer(), step: "message"))
    }
    return .answer(.finished(context.reference, Answer(failure: failure)))
  }
}
