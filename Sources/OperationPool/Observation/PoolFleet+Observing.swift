import PoolCore
import PoolModel
import Synchronization

extension PoolFleet {
  /// The events of the fleet's workers that may require the user's help, from now on; each once, in
  /// order.
  ///
  /// ```swift
  /// let events = queue.fleet.events
  /// Task {
  ///   for await event in events { print(event) }
  /// }
  /// ```
  ///
  /// Ask for it before you add operations. It does not keep the fleet alive, and ends with it. Of
  /// unread events, the latest ``PoolEventStream/capacity`` are kept, and
  /// ``PoolEventStream/missedCount`` counts the others. Each call makes a stream of its own, for
  /// one reader.
  public var events: PoolEventStream<PoolFleetEvent> {
    OperationRegistry.process.update(ifWanted: true) { transaction in
      OperationRegistry.process.fleetObservers.makeStream(of: id, from: transaction.nextEvent)
    }
  }
}

extension PoolFleet {
  /// The numbers of the fleet's workers by state, and the configurations that were given up, with
  /// the reason.
  ///
  /// O(workers of this process).
  public var state: PoolFleetState {
    let registry = OperationRegistry.process
    return registry.engine.read { registry.fleetStates.state(of: id, $0) }
  }

  /// The fleet's ``state`` now, and after each change.
  ///
  /// ```swift
  /// Task {
  ///   for await state in queue.fleet.states { print("\(state.busy) of \(state.alive) are busy") }
  /// }
  /// ```
  ///
  /// A slow reader gets only the latest state. The stream does not keep the fleet alive, and ends
  /// with it. Each call makes a stream of its own, for one reader; without readers, no state is
  /// computed.
  public var states: AsyncStream<PoolFleetState> {
    OperationRegistry.process.update(ifWanted: true) { transaction in
      let states = OperationRegistry.process.fleetStates
      return states.makeStream(of: id, from: states.state(of: id, transaction))
    }
  }
}

extension OperationRegistry {
  /// Reports an event of the workers to the observers of their fleet.
  func tell(_ event: FleetEvent, _ number: Int) {
    switch event {
    case .metShortage(let configuration, let death):
      tell(of: configuration, number) { .metShortage(configuration: $0, because: death) }
    case .gaveUp(let configuration, let death, let serving):
      note(FleetStates.GiveUp(lastDeath: death), of: configuration)
      tell(of: configuration, number) {
        .gaveUp(configuration: $0, because: death, remaining: serving)
      }
    case .reopened(let configuration):
      note(nil, of: configuration)
      tell(of: configuration, number) { .reopened(configuration: $0) }
    case .ended(let fleet): fleetEnds.withLock { $0.removeValue(forKey: fleet) }?.wakeAll()
    case .greeted(let worker, let known): record(worker, known)
    case .died(let death):
      for recorder in fleetObservers.recorders() { recorder.end(death) }
    case .unknownMessage, .wrote, .announced, .measured: break
    }
  }

  /// Tells the recorders of a fleet's queues of a worker that is a process.
  private func record(_ worker: WorkerID, _ known: GreetedWorker) {
    guard known.process != nil, let (fleet, index) = engine.position(of: known.configuration)
    else { return }
    for recorder in fleetObservers.recorders(of: fleet) {
      recorder.greet(worker, known, configuration: index)
    }
  }

  private func note(_ giveUp: FleetStates.GiveUp?, of configuration: ConfigurationID) {
    guard let (fleet, index) = engine.position(of: configuration) else { return }
    fleetStates.note(giveUp, ofConfiguration: index, in: fleet)
  }

  /// Reports an event to the observers of a worker configuration's fleet, unless the configuration
  /// is forgotten.
  private func tell(
    of configuration: ConfigurationID,
    _ number: Int,
    _ event: (Int) -> PoolFleetEvent
  ) {
    guard let (fleet, index) = engine.position(of: configuration) else { return }
    fleetObservers.tell(event(index), of: fleet, number)
  }
}
