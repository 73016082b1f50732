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

  fileprivate struct Fleet {
    /// Maximum number of workers of each configuration alive at once, as it was declared.
    var counts: [Int]
    var givenUp: [Int: GiveUp] = [:]
    var readers: [Int: Reader] = [:]
    /// The state that all readers were told last; nil if they may have different ones.
    var told: PoolFleetState?
    var nextReader = 0
  }

  /// The latest state for one reader, which may read it after the fleet's end, too.
  fileprivate final class Reader: Sendable {
    private let latest: Mutex<(state: PoolFleetState, isUnread: Bool)>
    /// Wakes the reader; it ends with the fleet.
    let signals: AsyncStream<Void>.Continuation

    init(_ state: PoolFleetState, _ signals: AsyncStream<Void>.Continuation) {
      latest = Mutex((state, isUnread: true))
      self.signals = signals
    }

    /// Replaces the latest state; false if it is the same.
    func note(_ state: PoolFleetState) -> Bool {
      latest.withLock { latest in
        guard latest.state != state else { return false }
        latest = (state, isUnread: true)
        return true
      }
    }

    /// The latest state, unless it was read.
    func read() -> PoolFleetState? {
      latest.withLock { latest in
        defer { latest.isUnread = false }
        return latest.isUnread ? latest.state : nil
      }
    }
  }

  private let fleets = Mutex<[FleetID: Fleet]>([:])
  private let readerCount = Atomic(0)

  /// Whether any stream of states has a reader; otherwise no state is computed.
  var areRead: Bool { readerCount.load(ordering: .relaxed) != 0 }

  /// A fleet was created, with these numbers of workers of each configuration.
  func begin(_ fleet: FleetID, _ counts: [Int]) {
    fleets.withLock { $0[fleet] = Fleet(counts: counts) }
  }

  /// A configuration with that number of workers was added to a fleet.
  func add(_ fleet: FleetID, _ count: Int) {
    fleets.withLock { $0[fleet]?.counts.append(count) }
  }

  /// The indices of a fleet's configurations.
  func configurations(of fleet: FleetID) -> Range<Int> {
    0..<fleets.withLock { $0[fleet]?.counts.count ?? 0 }
  }

  /// The fleet object is gone.
  func end(_ fleet: FleetID) {
    let fleet = fleets.withLock { $0.removeValue(forKey: fleet) }
    for reader in fleet?.readers.values.map(\.signals) ?? [] { reader.finish() }
  }

  /// Notes that workers of a configuration were given up, or with nil that they are tried again;
  /// ignores fleets that are gone.
  func note(_ giveUp: GiveUp?, ofConfiguration index: Int, in fleet: FleetID) {
    fleets.withLock { $0[fleet]?.givenUp[index] = giveUp }
  }

  /// A fleet's state; after the fleet was closed and its last worker is gone, all numbers are zero.
  func state(of fleet: FleetID, _ transaction: borrowing PoolEngine.Transaction) -> PoolFleetState {
    states(of: [fleet], transaction)[0]
  }

  /// The states of several fleets.
  private func states(
    of wanted: [FleetID],
    _ transaction: borrowing PoolEngine.Transaction
  ) -> [PoolFleetState] {
    let censuses = transaction.censuses(of: wanted)
    return fleets.withLock { fleets in
      zip(wanted, censuses).map { fleet, censuses in
        fleets[fleet]?.state(censuses) ?? PoolFleetState(configurations: [])
      }
    }
  }
}

extension FleetStates.Fleet {
  fileprivate func state(_ censuses: [WorkerCensus]) -> PoolFleetState {
    let configurations = counts.enumerated().map { index, count in
      let census = index < censuses.count ? censuses[index] : nil
      let limit = census?.limit ?? count
      return PoolFleetState.Configuration(census ?? .init(), of: limit, givenUp[index])
    }
    return PoolFleetState(configurations: configurations)
  }
}

// MARK: - Streams

extension FleetStates {
  /// Makes a stream of a fleet's states that begins with this one.
  func makeStream(of fleet: FleetID, from state: PoolFleetState) -> AsyncStream<PoolFleetState> {
    let (signals, writer) = AsyncStream.makeStream(
      of: Void.self,
      bufferingPolicy: .bufferingNewest(1)
    )
    let reader = Reader(state, writer)
    if let number = add(reader, of: fleet) {
      readerCount.add(1, ordering: .relaxed)
      writer.onTermination = { [weak self] _ in self?.remove(number, of: fleet) }
    } else {
      writer.finish()
    }
    return AsyncStream {
      while true {
        if let state = reader.read() { return state }
        var signal = signals.makeAsyncIterator()
        guard await signal.next() != nil else { return reader.read() }
      }
    }
  }

  /// Adds a reader, and returns its number; nil if the fleet is gone.
  private func add(_ reader: Reader, of fleet: FleetID) -> Int? {
    fleets.withLock { fleets in
      guard let number = fleets[fleet]?.nextReader else { return nil }
      fleets[fleet]?.nextReader += 1
      fleets[fleet]?.readers[number] = reader
      fleets[fleet]?.told = nil
      return number
    }
  }

  private func remove(_ number: Int, of fleet: FleetID) {
    readerCount.subtract(1, ordering: .relaxed)
    // Returned from the closure, so that it is released outside the lock.
    _ = fleets.withLock { $0[fleet]?.readers.removeValue(forKey: number) }
  }

  /// Tells the readers of changed states, at the end of a turn.
  func tell(_ engine: PoolEngine) {
    let read = fleets.withLock { fleets in fleets.filter { !$0.value.readers.isEmpty }.map(\.key) }
    tell(engine, of: read)
  }

  /// Tells the readers of fleets their states, if those have changed.
  ///
  /// Not called from two threads at once for a fleet that has workers: the older state could win.
  func tell(_ engine: PoolEngine, of read: [FleetID]) {
    let states = engine.read { self.states(of: read, $0) }
    let readers = fleets.withLock { fleets in
      zip(read, states).flatMap { fleet, state -> [Reader] in
        guard fleets[fleet].map({ $0.told != state }) == true else { return [] }
        fleets[fleet]?.told = state
        return fleets[fleet]?.readers.values.filter { $0.note(state) } ?? []
      }
    }
    for reader in readers { reader.signals.yield() }
  }
}
