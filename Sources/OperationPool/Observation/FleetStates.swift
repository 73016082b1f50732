import PoolCore
import PoolModel
import Synchronization

/// The given-up workers of fleets, and the readers of fleet states; the machine itself counts the
/// workers.
///
/// This lock may be taken while the engine's is held, never in the other order.
final class FleetStates: Sendable {
  /// Workers of a configuration were given up.
  struct GiveUp: Sendable {
    var lastDeath: PoolWorkerDeath?
  }

  private struct Fleet {
    /// Maximum number of workers of each configuration alive at once.
    let counts: [Int]
    var givenUp: [Int: GiveUp] = [:]
    var readers: [Int: Reader] = [:]
    var nextReader = 0
  }

  private struct Reader {
    let writer: AsyncStream<PoolFleetState>.Continuation
    /// The state that the reader was sent last.
    var last: PoolFleetState
  }

  private let fleets = Mutex<[FleetID: Fleet]>([:])
  private let readerCount = Atomic(0)

  /// Whether any stream of states has a reader; otherwise no state is computed.
  var areRead: Bool { readerCount.load(ordering: .relaxed) != 0 }

  /// A fleet was created, with these numbers of workers of each configuration.
  func begin(_ fleet: FleetID, _ counts: [Int]) {
    fleets.withLock { $0[fleet] = Fleet(counts: counts) }
  }

  /// The fleet object is gone.
  func end(_ fleet: FleetID) {
    let readers = fleets.withLock { $0.removeValue(forKey: fleet)?.readers.values.map(\.writer) }
    for reader in readers ?? [] { reader.finish() }
  }

  /// Notes that workers of a configuration were given up, or with nil that they are tried again; ignores
  /// fleets that are gone.
  func note(_ giveUp: GiveUp?, ofConfiguration index: Int, in fleet: FleetID) {
    fleets.withLock { $0[fleet]?.givenUp[index] = giveUp }
  }

  /// A fleet's state; after the fleet was closed and its last worker is gone, all numbers are zero.
  func state(of fleet: FleetID, _ transaction: borrowing PoolEngine.Transaction) -> PoolFleetState {
    let censuses = transaction.census(of: fleet)
    let (counts, givenUp) = fleets.withLock {
      ($0[fleet]?.counts ?? [], $0[fleet]?.givenUp ?? [:])
    }
    let configurations = counts.enumerated().map { index, count in
      let census = index < censuses.count ? censuses[index] : .init()
      return PoolFleetState.Configuration(census, of: count, givenUp[index])
    }
    return PoolFleetState(configurations: configurations)
  }
}

// MARK: - Streams

extension FleetStates {
  /// Makes a stream of a fleet's states that begins with this one.
  func makeStream(of fleet: FleetID, from state: PoolFleetState) -> AsyncStream<PoolFleetState> {
    let (stream, writer) = AsyncStream.makeStream(
      of: PoolFleetState.self,
      bufferingPolicy: .bufferingNewest(1)
    )
    writer.yield(state)
    let number: Int? = fleets.withLock { fleets in
      guard let number = fleets[fleet]?.nextReader else { return nil }
      fleets[fleet]?.nextReader += 1
      fleets[fleet]?.readers[number] = Reader(writer: writer, last: state)
      return number
    }
    guard let number else {
      writer.finish()
      return stream
    }
    readerCount.add(1, ordering: .relaxed)
    writer.onTermination = { [weak self] _ in self?.remove(number, of: fleet) }
    return stream
  }

  private func remove(_ number: Int, of fleet: FleetID) {
    readerCount.subtract(1, ordering: .relaxed)
    // Returned from the closure, so that it is released outside the lock.
    _ = fleets.withLock { $0[fleet]?.readers.removeValue(forKey: number) }
  }

  /// Sends changed states to the readers, at the end of a turn.
  func tell(_ engine: PoolEngine) {
    let read = fleets.withLock { fleets in fleets.filter { !$0.value.readers.isEmpty }.map(\.key) }
    for fleet in read {
      let state = engine.read { self.state(of: fleet, $0) }
      for writer in take(state, of: fleet) { writer.yield(state) }
    }
  }

  /// Notes a state; returns the readers that have not seen it.
  private func take(
    _ state: PoolFleetState,
    of fleet: FleetID
  ) -> [AsyncStream<PoolFleetState>.Continuation] {
    fleets.withLock { fleets in
      guard let readers = fleets[fleet]?.readers.filter({ $0.value.last != state }) else {
        return []
      }
      for number in readers.keys { fleets[fleet]?.readers[number]?.last = state }
      return readers.values.map(\.writer)
    }
  }
}
