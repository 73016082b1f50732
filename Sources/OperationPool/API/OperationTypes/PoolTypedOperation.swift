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
/// `@unchecked Sendable` like its superclass: its own properties are constant.
public final class PoolTypedOperation<Output: Codable & Sendable>: PoolOperation,
  @unchecked Sendable
{
  private let input: Mutex<TypedInput>
  /// Nil if it declares no type of error.
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
  public convenience init<Body: TypedOperation>(
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

  /// Stores a large payload instead of its value, so that it is in memory only once.
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

  /// The value that `main` returned; waits until the operation has finished.
  ///
  /// If the operation did not succeed, throws the error that its `main` threw, if that has the
  /// declared type `Failure`, and otherwise a ``PoolFailure``. Throws ``PoolError`` if the result
  /// does not have this type, and like ``PoolOperation/finished()``; the operation then goes on.
  public var value: Output {
    get async throws { try value(of: try await finished()) }
  }

  /// What the operation returned, or the error that ``value`` would throw; waits until it has
  /// finished.
  ///
  /// Throws `CancellationError` only if the waiting task is cancelled before that, and
  /// ``PoolError`` only if the wait could not end, like ``PoolOperation/finished()``; the operation
  /// goes on then. So callers can tell the end of the task from the end of the operation. The
  /// operation's ``PoolOperation/outcome``, which is there from now on, also says how it has ended.
  public var result: Result<Output, any Error> {
    get async throws {
      let outcome = try await finished()
      return Result { try value(of: outcome) }
    }
  }

  /// The value that `main` returned, from the outcome.
  func value(of outcome: PoolOutcome) throws -> Output {
    if let failure = outcome.failure?.naming(label) {
      throw declaredError?.error(of: failure) ?? failure
    }
    return try outcome.decodedResult(of: "'\(label)'")
  }
}

/// The source of a typed operation's input.
///
/// Not nested in the class, which is generic: each use would look up its metadata, and the lock's.
enum TypedInput: Sendable {
  /// An existing value.
  case value(@Sendable (inout PayloadCoding.Series) throws -> [UInt8])
  /// A large value that was encoded: its only copy, until it has been executed.
  case written([UInt8])
  /// A value that is made when all dependencies have ended.
  case late(@Sendable () async throws -> [UInt8])
}
