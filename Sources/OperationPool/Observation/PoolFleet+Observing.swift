import PoolCore
import PoolModel

extension PoolFleet {
  /// What happens to the fleet's workers that may have to be mended, from now on; each event once,
  /// in order.
  ///
  /// ```swift
  /// let events = queue.fleet.events
  /// Task {
  ///   for await event in events { print(event) }
  /// }
  /// ```
  ///
  /// Ask for it before you add operations. It does not keep the fleet, and ends with it. What is
  /// not read yet is kept. Each call makes a stream of its own, for one reader.
  public var events: AsyncStream<PoolFleetEvent> {
    OperationRegistry.process.update(ifWanted: true) { transaction in
      OperationRegistry.process.fleetWatchers.makeStream(of: id, from: transaction.nextEffect)
    }
  }
}

extension OperationRegistry {
  func fleetChanged(_ event: FleetEvent) {
    switch event {
    case .wentOn(let configuration, let death):
      tell(of: configuration) { .wentOn(sort: $0, because: death) }
    case .gaveUp(let configuration, let death, let serving):
      tell(of: configuration) { .gaveUp(sort: $0, because: death, remaining: serving) }
    case .triedAgain(let configuration):
      tell(of: configuration) { .triedAgain(sort: $0) }
    case .greeted, .unknownMessage, .wrote, .died, .announced: break
    }
  }

  /// Tells those who observe the fleet of a worker configuration, unless that is forgotten.
  private func tell(of configuration: ConfigurationID, _ event: (Int) -> PoolFleetEvent) {
    guard let (fleet, place) = engine.place(of: configuration) else { return }
    fleetWatchers.tell(event(place), of: fleet, currentEffect)
  }
}
