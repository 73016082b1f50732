import PoolCore
import PoolModel
import PoolSystem
import PoolWire

// Back-pressure for remarks: a worker may print more than the client can take. While the client
// accepts no remarks, workers that send some are not read: their pipes fill up, and they wait. All
// others go on. One behind a link is read all the same, and is granted no more of them.

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
      let mustWait = mustWait(connection)
      if connection.capabilities.isLeased {
        if mustWait { ungranted.insert(connection.id) } else { grant(connection) }
        continue
      }
      guard mustWait, connections[connection.id] === connection,
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
    for worker in ungranted {
      if let connection = connections[worker], mustWait(connection) { continue }
      grant(worker)
    }
    for worker in unread.sorted(by: { $0.rawValue < $1.rawValue }) {
      if let connection = connections[worker], mustWait(connection) { continue }
      read(worker)
    }
  }

  /// Lets a worker behind a link send more, if it has used up much of its window.
  private mutating func grant(_ connection: WorkerConnection) {
    guard let byteCount = connection.link?.takeGrant() else { return }
    connection.send(.grant(byteCount))
    enlist(connection)
  }

  private mutating func grant(_ worker: WorkerID) {
    guard ungranted.remove(worker) != nil, let connection = connections[worker] else { return }
    grant(connection)
  }

  /// Reads a worker again.
  mutating func read(_ worker: WorkerID) {
    grant(worker)
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
