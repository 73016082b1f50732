import PoolCore
import PoolModel
import PoolWire

/// The events of a turn, in order.
struct TurnEvents {
  /// An event in the form in which the machine takes it.
  ///
  /// There are two for each operation, so they are small and hold no reference.
  enum Event {
    case reported(WorkerID, DispatchReference, WorkerReport)
    /// An event that concerns workers alone.
    case worker(WorkerEvent)
    /// A change that concerns the graph alone.
    case operation(GraphChange)
    /// A worker's pipe was read; a frame may be incomplete.
    case read(WorkerID, within: PartialFrame?)
    /// A rare event, by its index.
    case rare(Int)
  }

  /// An event that holds references.
  enum RareEvent {
    case greeted(WorkerPeer, Hello)
    case ended(WorkerPeer, PoolExitStatus, lackedMemory: Bool)
    case failed(ConfigurationID, PoolWorkerDeath)
    /// A worker that could not be reached has certainly ended, or is not waited for.
    case lapsed(WorkerID)
    /// A relay was found that lets its configuration have so many workers more.
    case widened(ConfigurationID, by: Int)
  }

  private(set) var all: [Event] = []
  private(set) var rare: [RareEvent] = []

  mutating func append(_ event: Event) {
    all.append(event)
  }

  mutating func append(rare event: RareEvent) {
    all.append(.rare(rare.count))
    rare.append(event)
  }

  mutating func removeAll() {
    all.removeAll(keepingCapacity: true)
    if !rare.isEmpty { rare.removeAll() }
  }
}
