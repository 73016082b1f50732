package import PoolContents
package import PoolCore
package import PoolModel
package import PoolWire

/// Takes an operation that has only a kind and a payload; returns whether it did.
package typealias PlainDescription = (
  _ reference: DispatchReference, _ attempt: Int, _ kind: String, _ payload: [UInt8]
) -> Bool

/// Whether an operation may be sent to a worker.
package enum DispatchPermission: Hashable, Sendable {
  case granted
  /// Not yet: the dispatch waits, and the client is asked again in each turn; see
  /// ``PoolEngine/takeTurn()``.
  case later
  /// The operation settles as failed, or as cancelled if it was to be cancelled.
  case denied
}

/// The client of a ``PoolEngine``: answers the engine's questions, and handles its events.
///
/// All methods are called by the thread that takes turns, one at a time, and never under a lock.
package protocol EngineClient: OperationSource, WriteAheadJournal, RunEventHandler, OutputTaker {}

/// Describes operations to the engine, which stores no description.
package protocol OperationSource: AnyObject, Sendable {
  /// The description of an operation; asked at each dispatch, so that it need not be stored.
  func execution(of operation: OperationID) -> OperationExecution

  /// An operation that a block worker is to execute; asked at each dispatch.
  func hostedExecution(of operation: OperationID) -> HostedExecution

  /// Passes kind and payload to the closure for the first dispatches among these effects that go to
  /// one worker; returns their number.
  ///
  /// Stops at the first operation that has more than kind and payload, and when the closure returns
  /// false: the remaining ones are described by ``execution(of:)``.
  func describePlain(_ effects: ArraySlice<Effect>, _ body: PlainDescription) -> Int

  /// The operation's dependencies have ended: evaluates its conditions. Its inputs are prepared
  /// afterwards.
  ///
  /// Must return at once, and call the closure once, on any thread.
  func prepare(
    _ operation: OperationID,
    _ finished: @escaping @Sendable (Preparation<AttemptReport>) -> Void
  )

  /// The kind of an operation and its fleet, to explain why no worker executes it; nil if the
  /// client explains that itself.
  func origin(of operation: OperationID) -> (kind: String, fleet: FleetID)?

  /// The time that an operation may take, and how it is ended then; nil for any time.
  ///
  /// Asked at each dispatch to a worker that keeps it.
  func timeLimit(of operation: OperationID) -> TimeLimit?

  /// The limits of an operation's outputs, beyond which it fails; nil if there are none.
  ///
  /// Asked once for each answer with an output.
  func outputLimits(of operation: OperationID) -> OutputLimits?
}

/// Stores what must be stored before anything that follows from it leaves the process.
package protocol WriteAheadJournal: AnyObject, Sendable {
  /// Whether an operation may be sent to a worker; asked before each dispatch that
  /// ``execution(of:)`` describes, after the client has handled all earlier events of the turn.
  ///
  /// Records that justify dispatches must be stored before the first of them is sent.
  func dispatchPermission() -> DispatchPermission

  /// An operation is about to be sent to a worker that may be on another machine, and lives for so
  /// long without an answer.
  ///
  /// What the client stores of it in ``finishTurn()`` is stored before it is sent.
  func willSend(_ operation: OperationID, attempt: Int, to worker: WorkerID, for lease: LeaseTerms)

  /// From now on a worker of those lives for so long without an answer: stores that for what was
  /// sent to it.
  func willStop(_ worker: WorkerID, for lease: LeaseTerms)

  /// The client has handled all events of a turn, and nothing of the turn has left the process yet:
  /// stores now what must be stored first; returns whether that was possible.
  func finishTurn() -> Bool
}

/// Hears what happens in a pool.
package protocol RunEventHandler: AnyObject, Sendable {
  /// Handles an event; events come in order, one at a time.
  func handle(_ event: consuming RunEvent, number: Int)

  /// The client has handled all events of a turn in which processes of workers may have started or
  /// ended, or been given operations.
  func noteWorkers()

  /// Whether the client wants the text that workers print as lines of operations, rather than as
  /// pieces of raw text.
  var takesLines: Bool { get }
}

/// Takes what operations write while they execute, and what workers remark, as fast as it can.
package protocol OutputTaker: AnyObject, Sendable {
  /// What becomes of the next piece of an output that an executing operation has written.
  ///
  /// After a piece that is not taken, the client takes no later one of the same attempt.
  func useOfOutput(of operation: OperationID) -> OutputUse

  /// Whether the client accepts more output of an operation whose pieces it takes now.
  ///
  /// While it does not, the operation's worker is not read until ``PoolEngine/readAgain()``.
  func takesOutput(of operation: OperationID) -> Bool

  /// Whether the client accepts more remarks: text of workers and operations for people.
  ///
  /// While it does not, a worker that sends a remark is not read until ``PoolEngine/readAgain()``:
  /// its pipe fills up, and it waits.
  var takesRemarks: Bool { get }
}

extension OperationSource {
  /// No operation is executed in this process.
  package func hostedExecution(of operation: OperationID) -> HostedExecution {
    preconditionFailure("only queues have block workers, and they keep operations")
  }

  /// Each operation is described by ``execution(of:)``.
  package func describePlain(_ effects: ArraySlice<Effect>, _ body: PlainDescription) -> Int { 0 }

  /// There is nothing to prepare.
  package func prepare(
    _ operation: OperationID,
    _ finished: @escaping @Sendable (Preparation<AttemptReport>) -> Void
  ) {
    finished(.ready)
  }

  /// The client itself explains why no worker executes an operation.
  package func origin(of operation: OperationID) -> (kind: String, fleet: FleetID)? { nil }

  /// Outputs have no limit.
  package func outputLimits(of operation: OperationID) -> OutputLimits? { nil }
}

extension WriteAheadJournal {
  /// Nothing must be stored.
  package func dispatchPermission() -> DispatchPermission { .granted }

  /// Nothing must be stored.
  package func willSend(
    _ operation: OperationID,
    attempt: Int,
    to worker: WorkerID,
    for lease: LeaseTerms
  ) {}

  /// Nothing must be stored.
  package func willStop(_ worker: WorkerID, for lease: LeaseTerms) {}

  /// Nothing must be stored.
  package func finishTurn() -> Bool { true }
}

extension RunEventHandler {
  /// Workers are not counted.
  package func noteWorkers() {}

  /// Text is wanted as it comes.
  package var takesLines: Bool { false }
}

extension OutputTaker {
  /// Outputs are taken when operations have ended.
  package func useOfOutput(of operation: OperationID) -> OutputUse { .atEnd }

  /// Output is always accepted.
  package func takesOutput(of operation: OperationID) -> Bool { true }

  /// Remarks are always accepted.
  package var takesRemarks: Bool { true }
}

extension EngineClient {
  /// No operation has a limit.
  func timeLimit(of operation: OperationID) -> TimeLimit? { nil }
}
