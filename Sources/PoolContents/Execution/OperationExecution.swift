package import PoolModel
package import PoolWire

/// What a worker needs to execute an operation.
package struct OperationExecution: Sendable {
  package var kind: String
  package var qualityOfService: PoolQualityOfService
  /// JSON, or a packed value.
  package var payload: [UInt8]
  /// Its name for people, if it was given one.
  package var name: String?
  /// The name of its queue, if that was given one.
  package var queueName: String?
  /// Environment variables that describe the execution to a command.
  package var variables = ExecutionVariables.none
  /// How a command's outputs are handled.
  package var outputs = OutputHandling.kept
  /// How much of a command's outputs is kept; nil for all.
  package var outputLimits: OutputLimits?
  /// A command's standard input, if its payload does not contain it.
  package var standardInput: ExecutionInput?
  /// Why it is not executed: it fails before it is sent to a worker; nil if it is executed.
  package var refusal: String?
  /// Its inputs, which the engine adds.
  package var inputs: [OperationInput] = []

  package init(kind: String, qualityOfService: PoolQualityOfService, payload: [UInt8]) {
    self.kind = kind
    self.qualityOfService = qualityOfService
    self.payload = payload
  }
}
