public import OperationWorker

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
  /// Where the input comes from.
  enum Input: Sendable {
    /// A value that is there.
    case value(@Sendable () throws -> [UInt8])
    /// A value that is made when all that the operation depends on has ended.
    case late(@Sendable () async throws -> [UInt8])
  }

  private let input: Input

  init(kind: String, _ options: PoolOperationOptions, _ input: Input) {
    self.input = input
    super.init(kind: kind, options)
  }

  /// Makes an operation of a value.
  public convenience init<Body: WorkerOperation>(
    _ body: Body,
    options: PoolOperationOptions = PoolOperationOptions()
  ) where Body.Output == Output {
    self.init(kind: Body.kind, options, .value { try PayloadCoding.encode(body) })
  }

  /// Makes an operation of a value whose `main` suspends.
  public convenience init<Body: AsyncWorkerOperation>(
    _ body: Body,
    options: PoolOperationOptions = PoolOperationOptions()
  ) where Body.Output == Output {
    self.init(kind: Body.kind, options, .value { try PayloadCoding.encode(body) })
  }

  override func encodedPayload() throws(PoolError) -> [UInt8]? {
    guard case .value(let encode) = input else { return nil }
    do {
      return try encode()
    } catch {
      throw PoolError(.notEncodable, "'\(label)' cannot be written as JSON: \(error)")
    }
  }

  override var makesInputLate: Bool {
    guard case .late = input else { return false }
    return true
  }

  override func preparedPayload() async throws(PoolError) -> [UInt8] {
    guard case .late(let make) = input else { return try encodedPayload() ?? [] }
    do {
      return try await make()
    } catch {
      throw PoolError(.invalidInput, "its input cannot be made: \(error)")
    }
  }

  /// What the operation returned; waits until it has finished.
  ///
  /// Throws the ``PoolFailure`` of an operation that did not succeed, ``PoolError`` where its
  /// result is not of this type, and `CancellationError` in a task that is cancelled before its end;
  /// the operation goes on then.
  public var value: Output {
    get async throws { try value(of: try await finished()) }
  }

  /// What the operation returned, from its outcome.
  func value(of outcome: PoolOutcome) throws -> Output {
    if let failure = outcome.failure { throw failure }
    do {
      return try PayloadCoding.decode(Output.self, from: outcome.result ?? [])
    } catch {
      throw PoolError(.notSuccessful, "the result of '\(label)' is not \(Output.self): \(error)")
    }
  }
}
