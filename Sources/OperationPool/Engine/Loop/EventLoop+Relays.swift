import OperationWorker
import PoolCore
import PoolModel
import PoolSystem
import PoolWire

// A process that was started as a worker may be a relay, which carries the streams of many.

extension EventLoop {
  /// A process in the place of a worker has greeted as a relay: the worker is now the first behind
  /// it, and there may be as many more as it has slots.
  mutating func beginRelay(_ hello: Hello, on connection: WorkerConnection) {
    // One that is retired ends with its input; one that has closed its output is ending.
    guard connection.violation == nil, connection.handle.status == nil, connection.isConversing
    else { return }
    do {
      if let objection = hello.objection { throw Violation.unexpected(objection) }
      guard !(connection.process is RelayedProcess) else {
        throw Violation.unexpected("the greeting of a relay from behind a relay")
      }
      guard (1...Relay.slotLimit).contains(hello.slots) else {
        throw Violation.unexpected("a 'hello' of a relay with \(hello.slots) slots")
      }
      try carry(connection, behind: hello)
      turnEvents.append(rare: .widened(connection.configuration, by: hello.slots - 1))
    } catch {
      connection.violation =
        error as? Violation
        ?? .unexpected("the greeting of a relay, which cannot be served: \(error)")
      turnEvents.append(.worker(.violated(connection.id)))
    }
  }

  /// Puts a worker behind the relay whose process it has.
  private mutating func carry(_ connection: WorkerConnection, behind hello: Hello) throws {
    let id = connection.id
    let carriers = relays[connection.configuration] ?? RelayCarriers(slots: hello.slots)
    let engine = engine
    let start = RelayCarrier.Start(
      process: connection.process,
      isGreeted: true,
      isErrorOpen: connection.isErrorOpen
    )
    let (carrier, worker) = try carriers.begin(on: start) { engine.post(.carriedEnded(id, $0)) }
    carrier.note(hello)
    relays[connection.configuration] = carriers
    trunks[id] = carrier
    unwatch(connection)
    connection.begin(on: worker)
    watch(connection)
  }
}
