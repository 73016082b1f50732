public import PoolModel
import PoolWire

/// What an executing operation knows about itself, and its way to report to the coordinator.
///
/// It may be kept and used from any thread; after the operation's answer is written, reports are
/// dropped.
public struct WorkerContext: Sendable {
  /// The operation's identifier in its pool.
  public let operationID: OperationID

  /// The number of this execution of the operation, from 1.
  public let attempt: Int

  /// The class of the execution.
  public let qualityOfService: PoolQualityOfService

  let dispatch: DispatchNumber
  let connection: CoordinatorConnection
  private let surroundings: Execute.Surroundings?

  init(_ execute: Execute, connection: CoordinatorConnection) {
    operationID = execute.reference.operation
    attempt = execute.attempt
    qualityOfService = execute.qualityOfService
    dispatch = execute.reference.dispatch
    surroundings = execute.surroundings
    self.connection = connection
  }

  /// The operation's name, if it has one.
  public var operationName: String? { surroundings?.name }

  /// The name of the operation's queue, if it has one.
  public var queueName: String? { surroundings?.queue }

  /// The inputs of this operation, in the coordinator's order.
  var inputs: [NamedInput] { surroundings?.inputs ?? [] }

  /// Whether the operation was asked to stop.
  public var isCancelled: Bool { connection.isCancelled(dispatch) }

  /// Throws if the operation was asked to stop.
  ///
  /// - Throws: ``WorkerCancellation``.
  public func checkCancellation() throws(WorkerCancellation) {
    if isCancelled { throw WorkerCancellation() }
  }

  /// Reports the progress of the operation, in units of the operation's choice.
  ///
  /// Each call is a system call; call it a few times a second.
  public func progress(completed: Int64, total: Int64) {
    connection.report(
      .progress(reference, PoolProgress(completed: completed, total: total)),
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
