import PoolCore
import PoolModel
import PoolWire

/// What was heard in a turn, in order.
struct Facts {
  /// A usual fact; there are two for each operation, so they are small and hold no reference.
  enum Fact {
    case started(WorkerID, DispatchReference, group: Int32?)
    case answered(WorkerID, DispatchReference, PoolEnding, PoolRetryCause, DetailID)
    case returned(WorkerID, DispatchReference)
    case remarked(WorkerID, DispatchReference, DetailID)
    /// A worker's pipe was read; a frame may be incomplete.
    case paused(WorkerID, within: PartialFrame?)
    case hungUp(WorkerID)
    /// A worker's memory in bytes.
    case weighed(WorkerID, Int)
    /// A rare fact, by its place.
    case rare(Int)
  }

  /// A rare fact.
  enum RareFact {
    case greeted(WorkerPeer, Hello)
    case ended(WorkerPeer, PoolExitStatus, lackedMemory: Bool)
    case failed(ConfigurationID, PoolWorkerDeath)
    case prepared(OperationID, UInt64, Preparation)
    /// From now on a worker is not read, or read again.
    case read(WorkerID, isOn: Bool)
    /// An operation could not be sent to its worker.
    case unsendable(WorkerID, DispatchReference, String)
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
