import PoolContents
import PoolCore
import PoolModel
import PoolWire

/// Commands of one template, one for each input or block; the identifiers are their numbers.
protocol TemplateWorkload: Workload {
  func command(_ operation: Int) -> CommandPayload
}

/// Made once, because it is asked for with each operation.
private let commandKinds = [ConstrainedKind(CommandPayload.kind)]

extension TemplateWorkload {
  package var kinds: [ConstrainedKind] { commandKinds }
  package func kindName(of operation: Int) -> String { CommandPayload.kind }
  package var file: [UInt8]? { nil }

  package func id(of operation: Int) -> [UInt8] { DecimalDigits.of(operation + 1) }
  package func name(of operation: Int) -> [UInt8] { id(of: operation) }
  package func line(of operation: Int) -> Int? { nil }
  package func kindIndex(of operation: Int) -> Int { 0 }
  package func priority(of operation: Int) -> PoolQueuePriority { .normal }
  package func timeout(of operation: Int) -> Int64? { nil }
  package func retries(of operation: Int) -> Int? { nil }
  package func forEachDependency(of operation: Int, _ body: (Int, PoolRequirement) -> Void) {}

  package func actionText(of operation: Int) -> String {
    CommandLabel.text(command(operation).action)
  }

  /// The execution of the command without an input of its own.
  func plainExecution(of operation: Int) -> OperationExecution {
    OperationExecution(
      kind: CommandPayload.kind,
      qualityOfService: .default,
      payload: command(operation).json
    )
  }
}
