public import OperationWorker

extension PoolMap {
  /// Executes all values, and combines their outputs in workers until one is left.
  ///
  /// ```swift
  /// let squares = (0..<1_000_000).lazy.map { Square(number: $0) }
  /// let total = try await queue.map(Array(squares)).reduce { Sum(numbers: $0) }
  /// ```
  ///
  /// Outputs are combined in the order of their inputs, neighbours with neighbours, and so is what
  /// comes of that: the result is the same each time where it does not matter which neighbours are
  /// combined first, as with a sum. One output alone is combined with nothing. At most the map's
  /// `limit` of operations are underway, those that combine among them, and few outputs wait for
  /// others, however many inputs there are.
  ///
  /// The first failure cancels what is left, and is thrown when that has ended. The operations belong
  /// to the task, as those of a map do.
  ///
  /// - Parameters:
  ///   - fanIn: How many outputs are combined at once at most; at least 2.
  ///   - options: What holds for each operation that combines.
  ///   - combine: Makes an operation of neighbouring outputs; called in this process.
  /// - Returns: What is left; nil where there were no inputs.
  /// - Throws: The ``PoolFailure`` of the first operation that did not succeed, what `combine` and
  ///   the inputs throw, ``PoolError`` where the map was read already, and `CancellationError`.
  nonisolated(nonsending) public func reduce<Combining: WorkerOperation>(
    fanIn: Int = 8,
    options: PoolOperationOptions = PoolOperationOptions(),
    _ combine: ([Output]) throws -> Combining
  ) async throws -> Output? where Combining.Output == Output {
    try await reduce(fanIn: fanIn) { PoolTypedOperation(try combine($0), options: options) }
  }

  /// Executes all values, and combines their outputs in workers, by values whose `main` suspends,
  /// until one is left.
  ///
  /// What is said of the other `reduce` function holds here.
  nonisolated(nonsending) public func reduce<Combining: AsyncWorkerOperation>(
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
    guard feed.begin(reducing: true, body) else { throw PoolError.mapWasRead }
    return try await feed.reduce(fanIn: fanIn, combine)
  }
}

extension PoolError {
  /// A map has one reader.
  static var mapWasRead: Self {
    Self(.alreadyExecuting, "the results of a map can be read once")
  }
}
