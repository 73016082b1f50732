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
  /// Inputs are read when there is room for them, so that memory stays constant however many there are.
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
  ) -> PoolMap<Inputs.Element.Output> where Inputs.Element: WorkerOperation {
    PoolMap(feed: MapFeed(self, order, limit: limit)) { feed in
      for body in inputs {
        guard try await feed.add(PoolTypedOperation(body, options: options)) else { return }
      }
    }
  }

  /// Executes values whose `main` suspends in workers; their results come in a sequence.
  ///
  /// Otherwise like the other `map` functions.
  public func map<Inputs: Sequence & Sendable>(
    _ inputs: Inputs,
    order: PoolMapOrder = .finishing,
    limit: Int = defaultMapLimit,
    options: PoolOperationOptions = PoolOperationOptions()
  ) -> PoolMap<Inputs.Element.Output> where Inputs.Element: AsyncWorkerOperation {
    PoolMap(feed: MapFeed(self, order, limit: limit)) { feed in
      for body in inputs {
        guard try await feed.add(PoolTypedOperation(body, options: options)) else { return }
      }
    }
  }

  /// Executes values of an asynchronous sequence in workers; their results come in a sequence.
  ///
  /// Otherwise like the other `map` functions. An error of the inputs is thrown after the results
  /// of the inputs before it were read.
  public func map<Inputs: AsyncSequence & Sendable>(
    _ inputs: Inputs,
    order: PoolMapOrder = .finishing,
    limit: Int = defaultMapLimit,
    options: PoolOperationOptions = PoolOperationOptions()
  ) -> PoolMap<Inputs.Element.Output> where Inputs.Element: WorkerOperation {
    PoolMap(feed: MapFeed(self, order, limit: limit)) { feed in
      for try await body in inputs {
        guard try await feed.add(PoolTypedOperation(body, options: options)) else { return }
      }
    }
  }

  /// Executes values of an asynchronous sequence, whose `main` suspends, in workers; their results
  /// come in a sequence.
  ///
  /// Otherwise like the other `map` functions.
  public func map<Inputs: AsyncSequence & Sendable>(
    _ inputs: Inputs,
    order: PoolMapOrder = .finishing,
    limit: Int = defaultMapLimit,
    options: PoolOperationOptions = PoolOperationOptions()
  ) -> PoolMap<Inputs.Element.Output> where Inputs.Element: AsyncWorkerOperation {
    PoolMap(feed: MapFeed(self, order, limit: limit)) { feed in
      for try await body in inputs {
        guard try await feed.add(PoolTypedOperation(body, options: options)) else { return }
      }
    }
  }
}
