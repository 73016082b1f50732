import PoolCore
import PoolModel
import PoolWire

/// What was heard in a turn, in order.
struct Facts {
  /// What is usual: there are two for each operation, so they are small, and refer to nothing.
  enum Fact {
    case started(WorkerID, DispatchReference, group: Int32?)
    case answered(WorkerID, DispatchReference, PoolEnding, PoolRetryCause, DetailID)
    case returned(WorkerID, DispatchReference)
    case remarked(WorkerID, DispatchReference, DetailID)
    /// All that a worker sent was heard, but for a frame that is not whole.
    case paused(WorkerID, within: PartialFrame?)
    case hungUp(WorkerID)
    /// A worker has so many bytes of memory.
    case weighed(WorkerID, Int)
    /// What is not usual, by its place.
    case rare(Int)
  }

  /// What is not usual.
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
