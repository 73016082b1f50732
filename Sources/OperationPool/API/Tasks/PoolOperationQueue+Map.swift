public import OperationWorker

/// The order of a map's results.
public enum PoolMapOrder: Hashable, Sendable, CaseIterable {
  /// The order in which operations end.
  case finishing
  /// The order of the inputs.
  case input
}

extension PoolOperationQueue {
  /// Default maximum number of operations of a map that are underway, or whose results were not
  /// read: 256.
  public static let defaultMapLimit = 256

  /// Executes values in workers; their results come in a sequence.
  ///
  /// Inputs are read when there is room for them, so that memory stays constant however many there
  /// are.
  ///
  /// - Parameters:
  ///   - inputs: The values.
  ///   - order: The order of the results.
  ///   - limit: Maximum number of operations that are underway, or whose results were not read, in
  ///     either order; at least 1.
  ///   - options: The options of each operation.
  /// - Returns: The results, which can be read once.
  public func map<Inputs: Sequence & Sendable>(
    _ inputs: Inputs,
    order: PoolMapOrder = .finishing,
    limit: Int = defaultMapLimit,
    options: PoolOperationOptions = PoolOperationOptions()
  ) -> PoolMap<Inputs.Element.Output> where Inputs.Element: TypedOperation {
    map(inputs, order, limit) { PoolTypedOperation($0, options: options) }
  }

  /// Executes values in workers, each with options of its own; their results come in a sequence.
  ///
  /// ```swift
  /// let squares = (0..<100).map { Square(number: $0) }
  /// let results = queue.map(
  ///   squares,
  ///   options: { PoolOperationOptions(name: "square of \($0.number)") }
  /// )
  /// ```
  ///
  /// Otherwise like the other `map` functions. The closure is called once for each
  /// input, in the order of inputs, when there is room for it.
  public func map<Inputs: Sequence & Sendable>(
    _ inputs: Inputs,
    order: PoolMapOrder = .finishing,
    limit: Int = defaultMapLimit,
    options: @escaping @Sendable (Inputs.Element) -> PoolOperationOptions
  ) -> PoolMap<Inputs.Element.Output> where Inputs.Element: TypedOperation {
    map(inputs, order, limit) { PoolTypedOperation($0, options: options($0)) }
  }

  private func map<Inputs: Sequence & Sendable, Output>(
    _ inputs: Inputs,
    _ order: PoolMapOrder,
    _ limit: Int,
    _ operation: @escaping @Sendable (Inputs.Element) -> PoolTypedOperation<Output>
  ) -> PoolMap<Output> {
    PoolMap(pipeline: MapPipeline(self, order, limit: limit)) { pipeline in
      for input in inputs {
        guard try await pipeline.add(operation(input)) else { return }
      }
    }
  }
}

// MARK: - Inputs of an asynchronous sequence

extension PoolOperationQueue {
  /// Executes values of an asynchronous sequence in workers; their results come in a sequence.
  ///
  /// Otherwise like the other `map` functions. An error of the inputs is thrown after the results
  /// of the inputs before it were read.
  public func map<Inputs: AsyncSequence & Sendable>(
    _ inputs: Inputs,
    order: PoolMapOrder = .finishing,
    limit: Int = defaultMapLimit,
    options: PoolOperationOptions = PoolOperationOptions()
  ) -> PoolMap<Inputs.Element.Output> where Inputs.Element: TypedOperation {
    map(arriving: inputs, order, limit) { PoolTypedOperation($0, options: options) }
  }

  /// Executes values of an asynchronous sequence in workers, each with options of its own; their
  /// results come in a sequence.
  ///
  /// Otherwise like the other `map` functions.
  public func map<Inputs: AsyncSequence & Sendable>(
    _ inputs: Inputs,
    order: PoolMapOrder = .finishing,
    limit: Int = defaultMapLimit,
    options: @escaping @Sendable (Inputs.Element) -> PoolOperationOptions
  ) -> PoolMap<Inputs.Element.Output> where Inputs.Element: TypedOperation {
    map(arriving: inputs, order, limit) { PoolTypedOperation($0, options: options($0)) }
  }

  private func map<Inputs: AsyncSequence & Sendable, Output>(
    arriving inputs: Inputs,
    _ order: PoolMapOrder,
    _ limit: Int,
    _ operation: @escaping @Sendable (Inputs.Element) -> PoolTypedOperation<Output>
  ) -> PoolMap<Output> {
    PoolMap(pipeline: MapPipeline(self, order, limit: limit)) { pipeline in
      for try await input in inputs {
        guard try await pipeline.add(operation(input)) else { return }
      }
    }
  }
}
