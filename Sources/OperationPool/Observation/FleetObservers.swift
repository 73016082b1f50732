import PoolModel
import Synchronization

/// The observers of fleets.
///
/// This lock may be taken while the engine's is held, never in the other order.
final class FleetObservers: Sendable {
  /// The recorders of the fleets' queues.
  private let recorders = Mutex<[FleetID: [QueueRecorder]]>([:])
  private let streams = Mutex<[FleetID: EventStreams<PoolFleetEvent>]>([:])

  /// Makes a stream of a fleet's events.
  func makeStream(of fleet: FleetID, from firstEffect: Int) -> PoolEventStream<PoolFleetEvent> {
    let (stream, writer) = PoolEventStream.make(keeping: PoolFleetEvent.self)
    streams.withLock { $0[fleet, default: .init()].add(writer, from: firstEffect) }
    return stream
  }

  /// Sends an event that an effect reports.
  func tell(_ event: PoolFleetEvent, of fleet: FleetID, _ effect: Int) {
    streams.withLock { $0[fleet] }?.tell(event, effect)
  }

  /// Lets a recorder of a queue hear of the workers of its fleet.
  func add(_ recorder: QueueRecorder, to fleet: FleetID) {
    removeOver()
    recorders.withLock { $0[fleet, default: []].append(recorder) }
  }

  /// Forgets recorders without a reader, and those of queues that are gone.
  func removeOver() {
    recorders.withLock { recorders in
      recorders = recorders.compactMapValues { list in
        let left = list.filter { !$0.isOver }
        return left.isEmpty ? nil : left
      }
    }
  }

  /// The recorders of a fleet's queues; of all fleets where none is named.
  func recorders(of fleet: FleetID? = nil) -> [QueueRecorder] {
    recorders.withLock { recorders in
      fleet.map { recorders[$0] ?? [] } ?? recorders.values.flatMap { $0 }
    }
  }

  /// The fleet object is gone.
  func end(_ fleet: FleetID) {
    let ended = streams.withLock { streams in
      var streams = streams.removeValue(forKey: fleet)
      return streams?.removeAll()
    }
    for stream in ended ?? [] { stream.finish() }
  }
}
