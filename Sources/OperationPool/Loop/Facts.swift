import PoolCore
import PoolModel
import PoolWire

/// What was heard in a turn, in order.
struct Facts {
  /// A fact in the form in which the machine takes it.
  ///
  /// There are two for each operation, so they are small and hold no reference.
  enum Fact {
    case reported(WorkerID, DispatchReference, WorkerReport)
    /// What concerns workers alone.
    case worker(WorkerEvent)
    /// What concerns operations alone.
    case operation(GraphChange)
    /// A worker's pipe was read; a frame may be incomplete.
    case paused(WorkerID, within: PartialFrame?)
    /// A rare fact, by its place.
    case rare(Int)
  }

  /// A fact that holds references.
  enum RareFact {
    case greeted(WorkerPeer, Hello)
    case ended(WorkerPeer, PoolExitStatus, lackedMemory: Bool)
    case failed(ConfigurationID, PoolWorkerDeath)
  }

  private(set) var all: [Fact] = []
  private(set) var rare: [RareFact] = []

  mutating func append(_ fact: Fact) {
    all.append(fact)
  }

  mutating func append(rare fact: RareFact) {
    all.append(.rare(rare.count))
    rare.append(fact)
  }

  mutating func removeAll() {
    all.removeAll(keepingCapacity: true)
    if !rare.isEmpty { rare.removeAll() }
  }
}
