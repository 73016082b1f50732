import Synchronization

/// The state shared by the two ends of a map: one adds operations as long as there is room, the
/// other takes their results.
final class MapPipeline<Output: Codable & Sendable>: Sendable {
  struct State {
    /// Operations that have not ended, by the places of their inputs.
    var underway: [Int: PoolTypedOperation<Output>] = [:]
    /// Results that were not taken yet, in their order.
    var kept: [Int: PoolMap<Output>.Element] = [:]
    var addedCount = 0
    var endedCount = 0
    var takenCount = 0
    var hasBegun = false
    /// Whether the results are combined, so that their order does not matter.
    var isReducing = false
    /// Number of results that were taken and whose room is reserved for combining.
    var reservedCount = 0
    /// Whether there are no more inputs.
    var isInputOver = false
    /// The error that ended the inputs early.
    var failure: (any Error)?
    var isCancelled = false
    /// The adding task, if it waits for room.
    var producer: CheckedContinuation<Void, Never>?
    /// The reading task, if it waits for a result.
    var reader: CheckedContinuation<Void, Never>?
    var production: Task<Void, Never>?
  }

  /// What a cancellation has to end: operations and waiting tasks.
  private typealias Cancelled = (
    underway: [PoolTypedOperation<Output>], waiting: [CheckedContinuation<Void, Never>?],
    production: Task<Void, Never>?
  )

  /// The reader's next step.
  private enum Step {
    case take(PoolMap<Output>.Element)
    case end
    case fail(any Error)
    case wait
  }

  let queue: PoolOperationQueue
  private let order: PoolMapOrder
  private let limit: Int
  let state = Mutex(State())

  init(_ queue: PoolOperationQueue, _ order: PoolMapOrder, limit: Int) {
    self.queue = queue
    self.order = order
    self.limit = max(limit, 1)
  }
}

// MARK: - Adding

extension MapPipeline {
  /// Starts the closure, which adds operations, in a task of its own; false if that was done
  /// before.
  func begin(
    reducing isReducing: Bool = false,
    _ body: @escaping @Sendable (MapPipeline) async throws -> Void
  ) -> Bool {
    // Before the task, which counts down at its end.
    queue.core.countOpenMaps(1)
    let isFirst = state.withLock { state in
      guard !state.hasBegun else { return false }
      state.hasBegun = true
      state.isReducing = isReducing
      state.production = Task { [self] in
        do {
          try await body(self)
          endInput()
        } catch {
          endInput(error)
        }
      }
      return true
    }
    if !isFirst { queue.core.countOpenMaps(-1) }
    return isFirst
  }

  /// Adds an operation when there is room; false if no more are wanted.
  func add(_ operation: PoolTypedOperation<Output>) async throws -> Bool {
    guard let index = await enter(operation) else { return false }
    try add(operation, at: index)
    return true
  }

  /// Adds an operation that is underway.
  func add(_ operation: PoolTypedOperation<Output>, at index: Int) throws {
    do {
      try queue.addOperation(operation)
    } catch {
      guard error.code == .notEncodable else {
        state.withLock { $0.underway[index] = nil }
        throw error
      }
      // The operation could not be added; others may be added.
      return end(index, .failure(error))
    }
    Task { [self] in
      let outcome = await operation.end()
      end(index, Result { try operation.value(of: outcome) })
    }
  }

  /// Waits for room, and reserves a place; nil if no more are wanted.
  private func enter(_ operation: PoolTypedOperation<Output>) async -> Int? {
    while true {
      let (index, mustWait) = state.withLock { state -> (Int?, Bool) in
        if state.isCancelled { return (nil, false) }
        guard hasRoom(state) else { return (nil, true) }
        defer { state.addedCount += 1 }
        state.underway[state.addedCount] = operation
        return (state.addedCount, false)
      }
      guard mustWait else { return index }
      await withCheckedContinuation { continuation in
        let waits = state.withLock { state in
          guard !state.isCancelled, !hasRoom(state) else { return false }
          state.producer = continuation
          return true
        }
        if !waits { continuation.resume() }
      }
    }
  }

  private func hasRoom(_ state: borrowing State) -> Bool {
    state.underway.count + state.kept.count + state.reservedCount < limit
  }

  private func endInput(_ error: (any Error)? = nil) {
    queue.core.countOpenMaps(-1)
    let reader = state.withLock { state in
      state.isInputOver = true
      if !state.isCancelled { state.failure = error }
      return state.reader.take()
    }
    reader?.resume()
  }

  /// An operation has ended.
  private func end(_ index: Int, _ result: Result<Output, any Error>) {
    let reader = state.withLock { state in
      state.underway[index] = nil
      let isOrdered = order == .input && !state.isReducing
      state.kept[isOrdered ? index : state.endedCount] = (index, result)
      state.endedCount += 1
      return state.reader.take()
    }
    reader?.resume()
  }
}

// MARK: - Taking

extension MapPipeline {
  /// The next result; nil if all were taken.
  ///
  /// Throws in a block of a queue that executes one operation at a time, and cancels the rest.
  func next() async throws -> PoolMap<Output>.Element? {
    do {
      try queue.core.demandWidth()
    } catch {
      cancel()
      throw error
    }
    while true {
      switch step() {
      case .take(let element): return element
      case .end: return nil
      case .fail(let error): throw error
      case .wait: await withTaskCancellationHandler(operation: waitForChange, onCancel: cancel)
      }
    }
  }

  /// Cancels the remaining operations, and waits for their end.
  func cancelAndWait() async {
    cancel()
    while state.withLock({ !$0.underway.isEmpty }) { await waitForChange() }
  }

  /// Cancels the remaining operations, and adds no more.
  func cancel() {
    let (underway, waiting, production) = state.withLock { state -> Cancelled in
      guard !state.isCancelled else { return ([PoolTypedOperation<Output>](), [], nil) }
      state.isCancelled = true
      let waiting = [state.producer.take(), state.reader.take()]
      return (Array(state.underway.values), waiting, state.production.take())
    }
    for continuation in waiting { continuation?.resume() }
    production?.cancel()
    for operation in underway { operation.cancel(as: .task) }
  }

  private func step() -> Step {
    if Task.isCancelled { cancel() }
    let (step, producer) = state.withLock { state -> (Step, CheckedContinuation<Void, Never>?) in
      if state.isCancelled {
        return (state.underway.isEmpty ? .fail(CancellationError()) : .wait, nil)
      }
      if let element = state.kept.removeValue(forKey: state.takenCount) {
        state.takenCount += 1
        if state.isReducing { state.reservedCount += 1 }
        return (.take(element), state.isReducing ? nil : state.producer.take())
      }
      guard state.isInputOver, state.underway.isEmpty else { return (.wait, nil) }
      return (state.failure.map { .fail($0) } ?? .end, nil)
    }
    producer?.resume()
    return step
  }

  /// Waits until a result has come, or the last operation has ended.
  private func waitForChange() async {
    await withCheckedContinuation { continuation in
      let waits = state.withLock { state in
        let isThere = state.kept[state.takenCount] != nil && !state.isCancelled
        guard !isThere, !state.underway.isEmpty || !state.isInputOver && !state.isCancelled else {
          return false
        }
        precondition(state.reader == nil, "the results of a map have one reader at a time")
        state.reader = continuation
        return true
      }
      if !waits { continuation.resume() }
    }
  }
}
