public import OperationWorker

extension PoolMap {
  /// Executes all values, and combines their outputs in workers until one is left.
  ///
  /// ```swift
  /// let squares = (0..<1_000_000).lazy.map { Square(number: $0) }
  /// let total = try await queue.map(Array(squares)).reduce { Sum(numbers: $0) }
  /// ```
  ///
  /// Neighbouring outputs are combined, in the order of their inputs, and then the combined values
  /// in the same way. So the result is the same each time if the combination is associative, like a
  /// sum. A single output is not combined. At most the map's `limit` of operations are underway,
  /// including those that combine, and few outputs wait for others, however many inputs there are.
  ///
  /// The first failure cancels the remaining operations, and is thrown after they have ended. The
  /// operations belong to the task, like those of a map.
  ///
  /// - Parameters:
  ///   - fanIn: Maximum number of outputs combined at once; at least 2.
  ///   - options: The options of each combining operation.
  ///   - combine: Makes an operation of neighbouring outputs; called in this process.
  /// - Returns: The last combined value; nil if there were no inputs.
  /// - Throws: The ``PoolFailure`` of the first operation that did not succeed, the errors of
  ///   `combine` and of the inputs, ``PoolError`` if the map was read before, and
  ///   `CancellationError`.
  nonisolated(nonsending) public func reduce<Combining: TypedOperation>(
    fanIn: Int = 8,
    options: PoolOperationOptions = PoolOperationOptions(),
    _ combine: ([Output]) throws -> Combining
  ) async throws -> Output? where Combining.Output == Output {
    try await reduce(fanIn: fanIn) { PoolTypedOperation(try combine($0), options: options) }
  }

  nonisolated(nonsending) private func reduce(
    fanIn: Int,
    _ combine: ([Output]) throws -> PoolTypedOperation<Output>
  ) async throws -> Output? {
    guard pipeline.begin(reducing: true, body) else { throw PoolError.mapWasRead }
    return try await pipeline.reduce(fanIn: fanIn, combine)
  }
}

extension PoolError {
  /// A map has one reader.
  static var mapWasRead: Self {
    Self(.alreadyExecuting, "the results of a map can be read once")
  }
}
