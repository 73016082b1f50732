import Synchronization

/// The results of values that workers execute, as they come.
///
/// `PoolOperationQueue.map` makes one. It has one iterator; nothing is executed before the iterator
/// is made. The operations belong to the iterator: leaving the loop cancels the remaining ones. So
/// does cancelling the task; then `CancellationError` is thrown after all have ended.
///
/// ```swift
/// let squares = (0..<100).map { Square(number: $0) }
/// for try await (index, result) in queue.map(squares) {
///   print(index, try result.get())
/// }
/// ```
public struct PoolMap<Output: Codable & Sendable>: AsyncSequence, Sendable {
  /// The index of an input, from 0, and its result: its output, or a ``PoolFailure`` or
  /// ``PoolError``.
  public typealias Element = (index: Int, result: Result<Output, any Error>)

  let pipeline: MapPipeline<Output>
  let body: @Sendable (MapPipeline<Output>) async throws -> Void

  /// The outputs alone, each with the index of its input.
  ///
  /// At the first failure, it cancels the remaining operations, and throws after they have ended.
  public var outputs: PoolMapOutputs<Output> { PoolMapOutputs(results: self) }

  /// Begins to execute; a second iterator throws ``PoolError``.
  public func makeAsyncIterator() -> Iterator {
    Iterator(lease: pipeline.begin(body) ? Lease(pipeline) : nil)
  }

  /// Reads the results.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let lease: Lease?

    /// The next result; nil if all inputs have ended and were read.
    public func next() async throws -> Element? {
      guard let lease else { throw PoolError.mapWasRead }
      return try await lease.pipeline.next()
    }

    /// Cancels the remaining operations, and waits for their end.
    fileprivate func cancel() async { await lease?.pipeline.cancelAndWait() }
  }

  /// Cancels the remaining operations when the last reader is released.
  fileprivate final class Lease: Sendable {
    let pipeline: MapPipeline<Output>

    init(_ pipeline: MapPipeline<Output>) {
      self.pipeline = pipeline
    }

    deinit {
      pipeline.cancel()
    }
  }
}

/// The outputs of values that workers execute; see ``PoolMap/outputs``.
public struct PoolMapOutputs<Output: Codable & Sendable>: AsyncSequence, Sendable {
  /// The index of an input, from 0, and its output.
  public typealias Element = (index: Int, output: Output)

  fileprivate let results: PoolMap<Output>

  /// Begins to execute; a second iterator throws ``PoolError``.
  public func makeAsyncIterator() -> Iterator {
    Iterator(results: results.makeAsyncIterator())
  }

  /// Reads the outputs.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let results: PoolMap<Output>.Iterator

    /// The next output; nil if all inputs have succeeded and were read.
    public func next() async throws -> Element? {
      guard let (index, result) = try await results.next() else { return nil }
      do {
        return (index, try result.get())
      } catch {
        await results.cancel()
        throw error
      }
    }
  }
}
