public import OperationWorker
import PoolWire
import Synchronization

/// An operation that is a value of the user's own type: its properties travel to a worker, which
/// calls its `main`, and what that returns travels back.
///
/// ```swift
/// let operation = PoolTypedOperation(Square(number: 7))
/// try queue.addOperation(operation)
/// let square = try await operation.value
/// ```
///
/// `@unchecked Sendable` as its superclass is: what is stored is constant.
public final class PoolTypedOperation<Output: Codable & Sendable>: PoolOperation,
  @unchecked Sendable
{
  private let input: Mutex<TypedInput>
  /// Nil where it declares no type of error.
  private let declaredError: DeclaredError?

  init(
    kind: String,
    _ options: PoolOperationOptions,
    _ input: TypedInput,
    _ declaredError: DeclaredError?
  ) {
    self.input = Mutex(input)
    self.declaredError = declaredError
    super.init(kind: kind, options)
  }

  /// Makes an operation of a value.
  public convenience init<Body: WorkerOperation>(
    _ body: Body,
    options: PoolOperationOptions = PoolOperationOptions()
  ) where Body.Output == Output {
    self.init(
      kind: Body.kind,
      options,
      .value { try $0.encode(body) },
      DeclaredError(Body.Failure.self)
    )
  }

  /// Makes an operation of a value whose `main` suspends.
  public convenience init<Body: AsyncWorkerOperation>(
    _ body: Body,
    options: PoolOperationOptions = PoolOperationOptions()
  ) where Body.Output == Output {
    self.init(
      kind: Body.kind,
      options,
      .value { try $0.encode(body) },
      DeclaredError(Body.Failure.self)
    )
  }

  override func encodedPayload(_ series: inout PayloadCoding.Series) throws(PoolError) -> [UInt8]? {
    do {
      switch input.withLock({ $0 }) {
      case .late: return nil
      case .written(let payload): return payload
      case .value(let encode): return keep(try encode(&series))
      }
    } catch {
      throw PoolError(.notEncodable, "'\(numberedLabel)' cannot be written as JSON: \(error)")
    }
  }

  /// Keeps a large payload in place of its value, so that it is in memory once.
  private func keep(_ payload: [UInt8]) -> [UInt8] {
    if payload.count >= 4_096 { input.withLock { $0 = .written(payload) } }
    return payload
  }

  override func dropInput() {
    input.withLock { input in
      if case .written = input { input = .written([]) }
    }
  }

  override var encodesValue: Bool { !makesInputLate }

  override var makesInputLate: Bool {
    input.withLock { input in
      guard case .late = input else { return false }
      return true
    }
  }

  override func preparedPayload() async throws(PoolError) -> [UInt8] {
    guard case .late(let make) = input.withLock({ $0 }) else {
      return try encodedPayload() ?? []
    }
    do {
      return try await make()
    } catch {
      throw PoolError(.invalidInput, "its input cannot be made: \(Failure.sentence(of: error))")
    }
  }

  /// What the operation returned; waits until it has finished.
  ///
  /// Where it did not succeed, this throws the error that its `main` threw if that is of the type
  /// that it declares, its `Failure`, and a ``PoolFailure`` otherwise. Throws ``PoolError`` where its
  /// result is not of this type, and `CancellationError` in a task that is cancelled before its end;
  /// the operation goes on then.
  public var value: Output {
    get async throws { try value(of: try await finished()) }
  }

  /// What the operation returned, or the error that ``value`` would throw; waits until it has
  /// finished.
  ///
  /// Throws `CancellationError` in a task that is cancelled before; the operation goes on then. So the
  /// end of the task is told from the end of the operation. How the operation has ended is in its
  /// ``PoolOperation/outcome`` as well, which is there from now on.
  public var result: Result<Output, any Error> {
    get async throws(CancellationError) {
      let outcome = try await finished()
      return Result { try value(of: outcome) }
    }
  }

  /// What the operation returned, from its outcome.
  func value(of outcome: PoolOutcome) throws -> Output {
    if let failure = outcome.failure?.naming(label) {
      throw declaredError?.error(of: failure) ?? failure
    }
    return try outcome.decodedResult(of: "'\(label)'")
  }
}

/// Where the input of a typed operation comes from.
///
/// Not a type in the class, which is generic: each use of one looks up its metadata, and the lock's.
enum TypedInput: Sendable {
  /// A value that is there.
  case value(@Sendable (inout PayloadCoding.Series) throws -> [UInt8])
  /// A large value that was written: its one copy, until it has been executed.
  case written([UInt8])
  /// A value that is made when all that the operation depends on has ended.
  case late(@Sendable () async throws -> [UInt8])
}
