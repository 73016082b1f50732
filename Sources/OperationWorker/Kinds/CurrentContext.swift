import PoolSystem

extension WorkerContext {
  /// The context of the operation whose task runs.
  @TaskLocal private static var ofTask: WorkerContext?

  /// The context of the operation that executes the calling code; nil elsewhere.
  ///
  /// An operation that does not suspend has it on the thread that called its `main`; one that
  /// suspends has it in its task and in child tasks. Detached tasks, and closures on other threads,
  /// such as those of a dispatch queue, have none.
  public static var current: WorkerContext? { ofTask ?? ThreadContext.ofThread?.context }

  /// Makes this the current context of the task for as long as the body executes.
  func makeCurrent<Value>(
    during body: @Sendable () async throws -> Value
  ) async rethrows -> Value {
    try await Self.$ofTask.withValue(self, operation: body)
  }
}

/// The operation that a thread executes.
///
/// A task-local value would take a tenth of a worker's time if operations are short.
final class ThreadContext {
  private static let place = ThreadObject()

  var context: WorkerContext?

  /// Decodes the payloads of the thread's operations; nil while it is in use.
  private var payloads: PayloadCoding.DecodingSeries?
  /// Encodes the results of the thread's operations; nil while it is in use.
  private var results: PayloadCoding.Series?

  /// The calling thread's; nil if it never executed an operation.
  static var ofThread: ThreadContext? {
    // Nothing else is stored there.
    place?.current.map { unsafeDowncast($0, to: ThreadContext.self) }
  }

  /// The calling thread's; made if there is none.
  static func own() -> ThreadContext {
    if let known = ofThread { return known }
    let new = ThreadContext()
    place?.set(new)
    return new
  }

  /// Decodes a payload in the memory of the thread's earlier payloads.
  func decode<Value: Decodable>(_ type: Value.Type, from payload: [UInt8]) throws -> Value {
    // Moved out meanwhile, because the value's own code may come here again.
    var series = payloads.take() ?? PayloadCoding.DecodingSeries()
    defer { payloads = series }
    return try series.decode(type, from: payload)
  }

  /// Encodes a result, which may be packed, in the memory of the thread's earlier results.
  func encode(_ value: some Encodable) throws -> [UInt8] {
    // Moved out meanwhile, as above.
    var series = results.take() ?? PayloadCoding.Series()
    defer { results = series }
    return try series.encode(value)
  }
}
