import OperationPool
import PoolCore
import PoolModel
import PoolWire

/// One command per input.
struct MapBatch: Batch {
  let template: Template
  let inputs: InputList
  /// What the fields of an input are called in a folder of results.
  var labels = FieldLabels()

  var count: Int { inputs.count }
  var kindNames: [String] { [CommandPayload.kind] }
  var file: [UInt8]? { nil }

  func id(of operation: Int) -> [UInt8] { Array(String(operation + 1).utf8) }
  func name(of operation: Int) -> [UInt8] { id(of: operation) }
  func line(of operation: Int) -> Int? { nil }
  func kindIndex(of operation: Int) -> Int { 0 }
  func priority(of operation: Int) -> PoolQueuePriority { .normal }
  func timeout(of operation: Int) -> Int64? { nil }
  func retries(of operation: Int) -> Int? { nil }
  func forEachDependency(of operation: Int, _ body: (Int, PoolRequirement) -> Void) {}

  func label(of operation: Int) -> String {
    CommandLabel.text(command(operation).action)
  }

  func execution(of operation: Int) -> OperationExecution {
    OperationExecution(
      kind: CommandPayload.kind,
      qualityOfService: .default,
      payload: command(operation).json
    )
  }

  func input(of operation: Int) -> [UInt8]? {
    Array(inputs[operation].joined(separator: [UInt8(ascii: " ")]))
  }

  func inputByteCount(of operation: Int) -> Int64 { 0 }

  func resultsPath(of operation: Int) -> [[UInt8]]? { labels.path(of: inputs[operation]) }

  func tagInput(of operation: Int) -> TemplateInput {
    TemplateInput(inputs[operation], number: operation + 1)
  }

  func release(_ operation: Int) -> Int { inputs.release(operation) }

  private func command(_ operation: Int) -> CommandPayload {
    template.command(TemplateInput(inputs[operation], number: operation + 1))
  }
}
