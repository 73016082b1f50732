import PoolCore
import PoolModel
import PoolSystem
import PoolWire

// How far workers behind links are, and how much waits for their links.

extension EventLoop {
  /// A worker that may be far was given operations: asks it again now and then how far it is.
  mutating func noteGiven(_ connection: WorkerConnection) {
    guard connection.mayBeFar else { return }
    noteWaiting(for: connection)
    guard connection.link?.isDue(at: turn.time.nanoseconds) == true else { return }
    connection.measureRoundTrip(at: engine.now.nanoseconds)
  }

  /// Tells the machine whether too many bytes wait for a worker's link, if that is news.
  mutating func noteWaiting(for connection: WorkerConnection) {
    guard let isCongested = connection.noteWaiting() else { return }
    turnEvents.append(.worker(.congested(connection.id, isCongested)))
  }

  /// A worker asks for its lease to be renewed.
  ///
  /// The machine counts from this turn's decisions on, which come after the request.
  mutating func renew(_ number: UInt64, of connection: WorkerConnection) {
    guard connection.capabilities.isLeased else { return }
    turnEvents.append(.worker(.renewed(connection.id)))
    connection.send(.renewed(number))
    enlist(connection)
  }

  /// Asks a worker to stop what it executes, before this process is stopped.
  ///
  /// What it has may be there for longer, so that is stored first.
  mutating func stopFar(_ worker: WorkerID) {
    guard let connection = connections[worker] else { return }
    client.willStop(worker, for: .stopped)
    connection.send(.stop(lease: LeaseTerms.stopped.milliseconds))
    // If its pipe is full, it has as much time as a worker that is starting a command.
    let end = MonotonicClock.time(in: .milliseconds(250))
    flush(connection)
    while connection.hasPending, MonotonicClock.now < end {
      MonotonicClock.sleep(nanoseconds: .milliseconds(5))
      flush(connection)
    }
    connection.channel.finishSending(within: .milliseconds(250))
  }

  /// Asks a worker to go on, and whether it does.
  mutating func continueFar(_ worker: WorkerID) {
    guard let number = connections[worker]?.link?.askForContinuation() else { return }
    send(.proceed, to: worker)
    send(.ping(number), to: worker)
  }

  /// A worker that was asked to go on has answered: from then on its lease is the usual one.
  private mutating func noteContinued(_ connection: WorkerConnection) {
    turnEvents.append(.worker(.continued(connection.id)))
    if let lease = connection.lease { client.willStop(connection.id, for: lease) }
  }

  /// A worker has answered a question.
  mutating func receive(answerToPing number: UInt64, from connection: WorkerConnection) {
    if connection.hasProvedPlace { turnEvents.append(.worker(.proved(connection.id))) }
    // It came behind the request to go on.
    if number == connection.link?.continuation, number != .max { noteContinued(connection) }
    let isFirst = connection.link?.roundTrip == nil
    guard let time = connection.noteAnswer(toPing: number, at: engine.now.nanoseconds) else {
      return
    }
    turnEvents.append(.worker(.measured(connection.id, roundTrip: time)))
    guard isFirst else { return }
    fleetEvents.append(.measured(connection.id, host: connection.link?.host, roundTrip: time))
  }
}
