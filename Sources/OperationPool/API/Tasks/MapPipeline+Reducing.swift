import Synchronization

extension MapPipeline {
  /// Combines the results of all inputs by operations until one is left; nil without inputs.
  ///
  /// A combining operation takes the room of one of the results that it combines. If an error is
  /// thrown, cancels the remaining operations and waits for their end.
  nonisolated(nonsending) func reduce(
    fanIn: Int,
    _ combine: ([Output]) throws -> PoolTypedOperation<Output>
  ) async throws -> Output? {
    do {
      return try await reduceAll(fanIn: fanIn, combine)
    } catch {
      await cancelAndWait()
      throw error
    }
  }

  nonisolated(nonsending) private func reduceAll(
    fanIn: Int,
    _ combine: ([Output]) throws -> PoolTypedOperation<Output>
  ) async throws -> Output? {
    var tree = ReductionTree<Output>(fanIn: fanIn)
    // Inputs have numbers from 0 on, combining operations have negative ones.
    var places: [Int: ReductionTree<Output>.Place] = [:]
    var number = 0
    while true {
      let next: ReductionTree<Output>.Combination?
      if let (index, result) = try await self.next() {
        let place = places.removeValue(forKey: index) ?? .init(index: index)
        next = tree.put(try result.get(), at: place)
        if next == nil { giveBackRoom() }
      } else {
        let result: Output?
        (next, result) = tree.finish()
        guard next != nil else { return result }
        state.withLock { $0.reservedCount += 1 }
      }
      guard let next else { continue }
      number -= 1
      places[number] = next.place
      try addInReservedRoom(try combine(next.values), at: number)
    }
  }

  private func giveBackRoom() {
    let producer = state.withLock { state in
      state.reservedCount -= 1
      return state.producer.take()
    }
    producer?.resume()
  }

  /// Adds an operation in the room of a result that was taken; does nothing after cancellation,
  /// which the next step reports.
  private func addInReservedRoom(
    _ operation: PoolTypedOperation<Output>,
    at index: Int
  ) throws {
    let isWanted = state.withLock { state in
      state.reservedCount -= 1
      guard !state.isCancelled else { return false }
      state.underway[index] = operation
      return true
    }
    if isWanted { try add(operation, at: index) }
  }
}
