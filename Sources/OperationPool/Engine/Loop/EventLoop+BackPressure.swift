import PoolCore
import PoolModel
import PoolSystem

// Back-pressure for remarks: a worker may print more than the client can take. While the client
// accepts no remarks, workers that send some are not read: their pipes fill up, and they wait. All
// others go on.

extension EventLoop {
  /// A worker, or its operation, has sent a remark.
  mutating func noteRemark(of connection: WorkerConnection) {
    guard !connection.isRemarking else { return }
    connection.isRemarking = true
    remarking.append(connection)
  }

  /// Stops reading the workers that have sent remarks in this turn, if the client accepts no more.
  mutating func holdRemarks() {
    guard !remarking.isEmpty else { return }
    for connection in remarking {
      connection.isRemarking = false
      guard mustWait(connection), connections[connection.id] === connection,
        unread.insert(connection.id).inserted
      else { continue }
      poller.forget(key: Key.output(connection.id))
      poller.forget(key: Key.error(connection.id))
      turnEvents.append(.worker(.pauseReading(connection.id)))
    }
    remarking.removeAll(keepingCapacity: true)
  }

  /// Whether a worker must not be read, because too many remarks are waiting.
  ///
  /// A worker that was asked to stop an operation is read, because its answer is due.
  private func mustWait(_ connection: WorkerConnection) -> Bool {
    guard connection.requests.isEmpty else { return false }
    if let operation = connection.executing?.operation, !client.takesOutput(of: operation) {
      return true
    }
    guard client.takesRemarks else { return true }
    return programs[connection.configuration]?.printer?.isFull { [engine] in engine.readAgain() }
      == true
  }

  /// Reads those workers again that need not wait any longer.
  mutating func readAll() {
    for worker in unread.sorted(by: { $0.rawValue < $1.rawValue }) {
      if let connection = connections[worker], mustWait(connection) { continue }
      read(worker)
    }
  }

  /// Reads a worker again.
  mutating func read(_ worker: WorkerID) {
    guard unread.remove(worker) != nil, let connection = connections[worker] else { return }
    let channel = connection.channel
    if connection.isOutputOpen {
      poller.watch(channel.output, for: .readable, key: Key.output(worker))
    }
    if connection.isErrorOpen {
      poller.watch(channel.error, for: .readable, key: Key.error(worker))
    }
    turnEvents.append(.worker(.resumeReading(worker)))
  }
}
