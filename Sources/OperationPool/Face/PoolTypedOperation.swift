import Foundation
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
  private let encode: @Sendable () throws -> Data

  /// Makes an operation of a value.
  public init<Body: WorkerOperation>(
    _ body: Body,
    options: PoolOperationOptions = PoolOperationOptions()
  ) where Body.Output == Output {
    encode = { try JSONEncoder().encode(body) }
    super.init(kind: Body.kind, options)
  }

  /// Makes an operation of a value whose `main` suspends.
  public init<Body: AsyncWorkerOperation>(
    _ body: Body,
    options: PoolOperationOptions = PoolOperationOptions()
  ) where Body.Output == Output {
    encode = { try JSONEncoder().encode(body) }
    super.init(kind: Body.kind, options)
  }

  override func encodedPayload() throws(PoolError) -> [UInt8]? {
    do {
      return Array(try encode())
    } catch {
      throw PoolError(.notEncodable, "'\(label)' cannot be written as JSON: \(error)")
    }
  }

  /// What the operation returned; waits until it has finished.
  ///
  /// Throws the ``PoolFailure`` of an operation that did not succeed, and ``PoolError`` where its
  /// result is not of this type.
  public var value: Output {
    get async throws {
      let outcome = await finished()
      if let failure = outcome.failure { throw failure }
      do {
        return try JSONDecoder().decode(Output.self, from: Data(outcome.result ?? []))
      } catch {
        throw PoolError(.notSuccessful, "the result of '\(label)' is not \(Output.self): \(error)")
      }
    }
  }
}
