import PoolCore
import PoolModel
import PoolSystem
import PoolWire
import Synchronization

// The machine hears the facts, under the lock.

extension EventLoop {
  /// Tells the machine all that was heard, lets it dispatch, and takes its effects.
  func decide() -> Outlook {
    let now = coordinator.now
    details.removeAll(keepingCapacity: true)
    return coordinator.shared.withLock { shared in
      let wasBusy = shared.machine.unsettledCount > 0 || !shared.machine.effects.isEmpty
      for fact in facts { tell(fact, &shared, now) }
      facts.removeAll(keepingCapacity: true)
      shared.machine.ring(at: now)
      shared.machine.dispatch(at: now)
      shared.machine.takeEffects(into: &effects)
      return Outlook(
        timeout: shared.fallAsleep(at: now),
        hasComeToRest: wasBusy && shared.machine.unsettledCount == 0,
        isOver: shared.machine.isClosing && shared.machine.liveWorkerCount == 0
      )
    }
  }

  private func tell(_ fact: Fact, _ shared: inout Coordinator.Shared, _ now: Instant) {
    switch fact {
    case .said(let connection, let message):
      judge(tell(connection, message, &shared, now), of: connection, &shared, now)
    case .answered(let connection, let answered):
      let reception = shared.machine.workerAnswered(
        connection.id,
        answered.reference,
        answered.ending,
        detail: keep(.report(answered.report)),
        at: now
      )
      judge(reception, of: connection, &shared, now)
    case .paused(let connection):
      shared.machine.workerPaused(connection.id, at: now)
      if connection.violation != nil { shared.machine.workerViolated(connection.id, at: now) }
    case .hungUp(let connection):
      shared.machine.workerHungUp(connection.id, at: now)
    case .ended(let connection, let status):
      // A violation in its last bytes came too late to be told, and no signal is sent any more.
      if connection.violation != nil { shared.machine.workerViolated(connection.id, at: now) }
      tell(connection.death(status), of: connection.recipe, &shared, now)
    case .failed(let recipe, let death):
      tell(death, of: recipe, &shared, now)
    }
  }

  /// A worker is gone, or never came.
  private func tell(
    _ death: WorkerDeath,
    of recipe: RecipeID,
    _ shared: inout Coordinator.Shared,
    _ now: Instant
  ) {
    lastDeaths[recipe] = death
    let detail = keep(.report(AttemptReport(death: death)))
    shared.machine.workerExited(death.worker, detail: detail, at: now)
    news.append(.died(death))
  }

  /// A worker that broke the protocol is told of once.
  private func judge(
    _ reception: PoolMachine.Reception,
    of connection: WorkerConnection,
    _ shared: inout Coordinator.Shared,
    _ now: Instant
  ) {
    guard case .violation(let what) = reception, connection.violation == nil else { return }
    connection.violation = .unexpected(what)
    shared.machine.workerViolated(connection.id, at: now)
  }

  private func tell(
    _ connection: WorkerConnection,
    _ message: WorkerMessage,
    _ shared: inout Coordinator.Shared,
    _ now: Instant
  ) -> PoolMachine.Reception {
    let id = connection.id
    switch message {
    case .hello(let hello):
      return greet(connection, hello, &shared, now)
    case .executing(let reference, let process):
      return shared.machine.workerStarted(id, reference, group: process?.group, at: now)
    case .returned(let reference):
      return shared.machine.workerReturned(id, reference, at: now)
    case .progress(let reference, let progress):
      return shared.machine.workerRemarked(id, reference, detail: keep(.progress(progress)))
    case .log(let reference, let log):
      return shared.machine.workerRemarked(id, reference, detail: keep(.log(log)))
    case .finished, .cancelled, .output, .pong, .unknown:
      // Answers are facts of their own, and the rest does not concern the machine.
      return .accepted
    }
  }

  private func greet(
    _ connection: WorkerConnection,
    _ hello: Hello,
    _ shared: inout Coordinator.Shared,
    _ now: Instant
  ) -> PoolMachine.Reception {
    guard hello.versions.contains(1) else {
      return .violation("a 'hello' with none of the protocol versions that are spoken here: 1")
    }
    let capabilities = hello.capabilities
    let abilities = WorkerAbilities(
      holds: capabilities.contains(.hold),
      returns: capabilities.contains(.recall),
      stops: capabilities.contains(.cancel)
    )
    let kinds = hello.kinds.map { shared.kind($0) }
    let reception = shared.machine.workerGreeted(
      connection.id,
      kinds: kinds,
      abilities: abilities,
      at: now
    )
    if reception == .accepted {
      connection.send(
        .welcome(Welcome(worker: connection.id, acceptsFiles: connection.acceptsFiles))
      )
      enlist(connection)
      news.append(.greeted(connection.id, noise: connection.noise))
    }
    return reception
  }

  /// Keeps what an effect of this turn may name.
  private func keep(_ detail: Detail) -> DetailID {
    details.append(detail)
    return DetailID(rawValue: UInt32(details.count - 1))
  }
}
