public import PoolModel
import PoolWire

/// What an executing operation knows about itself, and how it speaks to the coordinator.
///
/// It may be kept and used from any thread; once the operation's answer is written, its reports go
/// nowhere.
public struct WorkerContext: Sendable {
  /// Names the operation in its pool.
  public let operationID: OperationID

  /// Which execution of the operation this is, from 1.
  public let attempt: Int

  /// How much of the machine its execution deserves.
  public let qualityOfService: PoolQualityOfService

  let dispatch: DispatchNumber
  let connection: WorkerConnection
  private let surroundings: Execute.Surroundings?

  init(_ execute: Execute, connection: WorkerConnection) {
    operationID = execute.reference.operation
    attempt = execute.attempt
    qualityOfService = execute.qualityOfService
    dispatch = execute.reference.dispatch
    surroundings = execute.surroundings
    self.connection = connection
  }

  /// The operation's name, where it was given one.
  public var operationName: String? { surroundings?.name }

  /// The name of the operation's queue, where that was given one.
  public var queueName: String? { surroundings?.queue }

  /// The results of other operations that this one was given, in the coordinator's order.
  var inputs: [NamedInput] { surroundings?.inputs ?? [] }

  /// Whether the operation was asked to stop.
  public var isCancelled: Bool { connection.isCancelled(dispatch) }

  /// Throws when the operation was asked to stop.
  ///
  /// - Throws: ``WorkerCancellation``.
  public func checkCancellation() throws(WorkerCancellation) {
    if isCancelled { throw WorkerCancellation() }
  }

  /// Tells the coordinator how far the operation has come, in units of the operation's choice.
  ///
  /// Each call is a system call; a few a second are plenty.
  public func progress(completed: Int64, total: Int64) {
    connection.report(
      .progress(reference, Progress(completed: completed, total: total)),
      of: reference
    )
  }

  /// Sends the coordinator a line for people.
  public func log(_ message: String) {
    connection.report(.log(reference, Log(message: message)), of: reference)
  }

  var reference: DispatchReference {
    DispatchReference(operation: operationID, dispatch: dispatch)
  }
}
