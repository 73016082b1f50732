import PoolModel
import PoolSystem
import PoolWire
import Synchronization

/// Starts workers behind the relays of a configuration; where none has a slot, starts another
/// relay.
struct RelayLauncher: WorkerLauncher {
  /// Starts a relay.
  let base: any WorkerLauncher
  let carriers: RelayCarriers

  var place: WorkerPlace { base.place }
  var isForeign: Bool { base.isForeign }
  var mayWait: Bool { base.mayWait }

  func start(
    ended: @escaping @Sendable (PoolExitStatus) -> Void
  ) throws -> sending any WorkerProcess {
    if let process = try carriers.open(ended: ended) { return process }
    let started = StartedRelay()
    let process = try base.start { started.end($0) }
    do {
      let (carrier, worker) = try carriers.begin(
        on: RelayCarrier.Start(process: process),
        ended: ended
      )
      started.carry(by: carrier)
      return worker
    } catch {
      process.discard()
      throw error
    }
  }
}

/// A relay's process whose end may be known before there is a carrier.
private final class StartedRelay: Sendable {
  private struct State {
    var carrier: RelayCarrier?
    var status: PoolExitStatus?
  }

  private let state = Mutex(State())

  func end(_ status: PoolExitStatus) {
    state.withLock { state in
      state.status = status
      return state.carrier
    }?.noteEnd(status)
  }

  func carry(by carrier: RelayCarrier) {
    let status = state.withLock { state in
      state.carrier = carrier
      return state.status
    }
    if let status { carrier.noteEnd(status) }
  }
}
