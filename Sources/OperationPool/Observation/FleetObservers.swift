import PoolModel
import Synchronization

/// The observers of fleets.
///
/// This lock may be taken while the engine's is held, never in the other order.
final class FleetObservers: Sendable {
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

  /// The fleet object is gone.
  func end(_ fleet: FleetID) {
    let ended = streams.withLock { streams in
      var streams = streams.removeValue(forKey: fleet)
      return streams?.removeAll()
    }
    for stream in ended ?? [] { stream.finish() }
  }
}
