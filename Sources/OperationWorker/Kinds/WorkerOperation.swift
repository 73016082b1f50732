/// An operation that is a value: its stored properties are its input.
///
/// The coordinator encodes the value as JSON; a worker decodes it and executes it. The result
/// travels back the same way. A type conforms by ``WorkerOperation`` or ``AsyncWorkerOperation``,
/// which say how it is executed. It conforms to this protocol alone if its worker is written in
/// another language, or is another program.
public protocol TypedOperation: Codable, Sendable {
  /// What the operation returns; ``NoOutput`` for nothing.
  associatedtype Output: Codable & Sendable

  /// The type of error that reaches the caller as it was thrown by the operation.
  ///
  /// Declare it by a type with this name, or by `typealias Failure = ResizeError`. Without it, and
  /// for errors of other types, the caller gets a failure with the error's type, its sentence and,
  /// if it is `Encodable`, its JSON. An error whose JSON is larger than 64 KiB is such a failure,
  /// too.
  associatedtype Failure: Codable & Error = UndeclaredFailure

  /// The name under which workers serve operations of this type; unique within a pool.
  static var kind: String { get }
}

/// An operation that a worker executes on a thread.
///
/// ```swift
/// struct Square: WorkerOperation {
///   static let kind = "square"
///   var number: Int
///
///   func main(_ context: WorkerContext) throws -> Int { number * number }
/// }
/// ```
public protocol WorkerOperation: TypedOperation {
  // Declared again, so that they are found from `main`.
  associatedtype Output
  associatedtype Failure = UndeclaredFailure

  /// Does the work, on a thread that belongs to it until it returns.
  ///
  /// An error is reported as the operation's failure: with its `errorDescription` if it is a
  /// `LocalizedError` that has one, otherwise with its description. If the operation was asked to
  /// stop and throws ``WorkerCancellation`` or `CancellationError`, it ends as cancelled.
  func main(_ context: WorkerContext) throws -> Output
}

/// An operation that a worker executes in a task; see ``WorkerOperation``.
///
/// A request to stop cancels the task that executes it.
public protocol AsyncWorkerOperation: TypedOperation {
  // Declared again, so that they are found from `main`.
  associatedtype Output
  associatedtype Failure = UndeclaredFailure

  /// Does the work, in its own task; errors have the same meaning as in ``WorkerOperation``.
  func main(_ context: WorkerContext) async throws -> Output
}

/// The output of an operation without a result; `null` in JSON.
public struct NoOutput: Codable, Hashable, Sendable {
  /// Makes the only value.
  public init() {}

  /// Accepts any JSON value.
  public init(from decoder: any Decoder) throws {}

  /// Writes `null`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encodeNil()
  }
}

/// The failure of an operation that declares no type of error; it has no value.
///
/// Such an operation may throw any error. See ``TypedOperation/Failure``.
public enum UndeclaredFailure: Error, Codable, Hashable {
  /// Always throws.
  public init(from decoder: any Decoder) throws {
    let context = DecodingError.Context(
      codingPath: decoder.codingPath,
      debugDescription: "there is no value of the type UndeclaredFailure"
    )
    throw DecodingError.typeMismatch(Self.self, context)
  }

  /// Is never called.
  public func encode(to encoder: any Encoder) throws {}
}

/// The error that an operation throws to end as cancelled, after it was asked to stop.
public struct WorkerCancellation: Error, Hashable {
  /// Makes the error.
  public init() {}
}
