import PoolCore
import PoolModel
import PoolSystem

// A worker may say more than people read. While the client takes no remarks, workers that say
// something are not read: their pipes fill up, and they wait. All others go on.

extension EventLoop {
  /// A worker, or what it executes, has said something to people.
  mutating func noteRemark(of connection: WorkerConnection) {
    guard !connection.isRemarking else { return }
    connection.isRemarking = true
    remarking.append(connection)
  }

  /// Stops reading the workers that have said something in this turn, if the client takes no more.
  mutating func holdRemarks() {
    guard !remarking.isEmpty else { return }
    for connection in remarking {
      connection.isRemarking = false
      guard mustWait(connection), connections[connection.id] === connection,
        unread.insert(connection.id).inserted
      else { continue }
      poller.forget(key: Key.output(connection.id))
      poller.forget(key: Key.error(connection.id))
      heard.append(.worker(.pauseReading(connection.id)))
    }
    remarking.removeAll(keepingCapacity: true)
  }

  /// Whether a worker is not read, because too much of what it says, or others say, waits.
  ///
  /// One that was asked to stop an operation is read: its answer is due.
  private func mustWait(_ connection: WorkerConnection) -> Bool {
    guard connection.requests.isEmpty else { return false }
    return !client.takesRemarks || programs[connection.configuration]?.printer?.isFull == true
  }

  /// Reads the workers again that need not wait any more.
  mutating func readAll() {
    for worker in unread.sorted(by: { $0.rawValue < $1.rawValue }) {
      if let connection = connections[worker], mustWait(connection) { continue }
      read(worker)
    }
  }

  /// Reads a worker again that was not read.
  mutating func read(_ worker: WorkerID) {
    guard unread.remove(worker) != nil, let connection = connections[worker] else { return }
    let process = connection.process
    if connection.isOutputOpen {
      poller.watch(process.output, for: .readable, key: Key.output(worker))
    }
    if connection.isErrorOpen {
      poller.watch(process.error, for: .readable, key: Key.error(worker))
    }
    heard.append(.worker(.resumeReading(worker)))
  }
}
