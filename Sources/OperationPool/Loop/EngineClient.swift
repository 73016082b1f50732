package import PoolCore
package import PoolModel
package import PoolWire

/// What a worker needs to execute an operation.
package struct OperationExecution: Sendable {
  package var kind: String
  package var qualityOfService: PoolQualityOfService
  /// JSON, or a packed value.
  package var payload: [UInt8]
  /// Its name for people, where it was given one.
  package var name: String?
  /// The name of its queue, where that was given one.
  package var queueName: String?
  /// Variables of a command's environment that say what it is executed for.
  package var variables: [CommandPayload.Variable] = []
  /// What becomes of a command's outputs.
  package var outputs = OutputHandling.kept
  /// What a command reads from its standard input, where its payload does not have it.
  package var standardInput: ExecutionInput?
  /// What others made for it, which the engine adds.
  var inputs: [OperationInput] = []
  /// What an in-process worker executes.
  var operation: PoolOperation?

  package init(kind: String, qualityOfService: PoolQualityOfService, payload: [UInt8]) {
    self.kind = kind
    self.qualityOfService = qualityOfService
    self.payload = payload
  }
}

/// What becomes of a piece of an output that comes while its operation executes.
package enum OutputUse: Sendable {
  /// It is kept until the operation has ended.
  case atEnd
  /// The client takes it now, and it is only counted.
  case now
  /// The client takes it now, and it is needed later, too.
  case nowAndAtEnd

  var isTakenNow: Bool { self != .atEnd }
  var isNeededLater: Bool { self != .now }
}

/// Takes an operation that is no more than its kind and its payload; returns whether it did.
package typealias PlainDescription = (
  _ reference: DispatchReference, _ attempt: Int, _ kind: String, _ payload: [UInt8]
) -> Bool

/// The client of a ``PoolEngine``: it answers what the engine asks, and reads what happens.
///
/// All methods are called on the loop's thread, one at a time, and never under a lock.
package protocol EngineClient: AnyObject, Sendable {
  /// Something has happened. Events come in order, each as soon as its turn has come.
  func handle(_ event: consuming RunEvent, number: Int)

  /// What the operation is; asked at each dispatch, so that it need not be kept in memory.
  func execution(of operation: OperationID) -> OperationExecution

  /// Gives the closure the kind and the payload of the dispatches that these effects begin with and
  /// that go to one worker; returns how many there were.
  ///
  /// It ends at the first operation that has more than these two, and at the first for which the
  /// closure returns false: those are described by ``execution(of:)``.
  func describePlain(_ effects: ArraySlice<Effect>, _ body: PlainDescription) -> Int

  /// Whether an operation may leave for a worker; asked before each dispatch that
  /// ``execution(of:)`` describes, when the client has all earlier events of the turn.
  ///
  /// What dispatches rest on must be kept before the first of them leaves. An operation that may
  /// not leave settles as failed, or as cancelled if it was to be.
  func mayDispatch() -> Bool

  /// The client has all events of a turn, and nothing of it has left the process yet: what must be
  /// kept before others act on it, is kept now.
  func keepEvents()

  /// The operation's dependencies have ended: evaluates its conditions. What others make for it is
  /// prepared afterwards.
  ///
  /// Must return at once, and call the closure once, on whatever thread.
  func prepare(
    _ operation: OperationID,
    _ finished: @escaping @Sendable (Preparation) -> Void
  )

  /// The kind of an operation and its fleet, to say why no worker executes it; nil where the client
  /// says so itself.
  func origin(of operation: OperationID) -> (kind: String, fleet: FleetID)?

  /// Whether the client takes what workers print as lines of operations, and not as it comes.
  var takesLines: Bool { get }

  /// What becomes of the next piece of an output, which an operation has written while it executes.
  ///
  /// Once a piece is not taken, no later one of the attempt may be.
  func useOfOutput(of operation: OperationID) -> OutputUse

  /// Whether the client can take what workers and operations say to people.
  ///
  /// While it cannot, a worker that says something is not read, until
  /// ``PoolEngine/readAgain()``: its pipe fills up, and it waits.
  var takesRemarks: Bool { get }
}

extension EngineClient {
  /// Each operation is described by ``execution(of:)``.
  package func describePlain(_ effects: ArraySlice<Effect>, _ body: PlainDescription) -> Int { 0 }

  /// Nothing must be kept.
  package func mayDispatch() -> Bool { true }

  /// Nothing must be kept.
  package func keepEvents() {}

  /// The client says itself why no worker executes an operation.
  package func origin(of operation: OperationID) -> (kind: String, fleet: FleetID)? { nil }

  /// Everything can be taken at once.
  package var takesRemarks: Bool { true }

  /// Outputs are taken when operations have ended.
  package func useOfOutput(of operation: OperationID) -> OutputUse { .atEnd }

  /// It is taken as it comes.
  package var takesLines: Bool { false }

  /// Nothing is to be prepared.
  package func prepare(
    _ operation: OperationID,
    _ finished: @escaping @Sendable (Preparation) -> Void
  ) {
    finished(.ready)
  }
}
