import OperationPool
import PoolCore
import PoolModel
import PoolWire

/// One command per input.
struct MapWorkload: TemplateWorkload {
  let template: Template
  let inputs: InputList
  /// What the fields of an input are called in a folder of results.
  var labels = FieldLabels()

  var count: Int { inputs.count }

  func input(of operation: Int) -> [UInt8]? {
    Array(inputs[operation].joined(separator: [UInt8(ascii: " ")]))
  }

  func inputs(of operation: Int) -> [[UInt8]]? { inputs[operation] }

  func inputByteCount(of operation: Int) -> Int64 { 0 }

  func resultsPath(of operation: Int) -> [[UInt8]]? { labels.path(of: inputs[operation]) }

  func tagInput(of operation: Int) -> TemplateInput {
    TemplateInput(inputs[operation], number: operation + 1)
  }

  func release(_ operation: Int) -> Int { inputs.release(operation) }

  func execution(of operation: Int) -> OperationExecution {
    var execution = plainExecution(of: operation)
    if template.mayRefuse {
      let input = TemplateInput(inputs[operation], number: operation + 1)
      execution.refusal = template.refusal(of: input)
    }
    return execution
  }

  func command(_ operation: Int) -> CommandPayload {
    template.command(TemplateInput(inputs[operation], number: operation + 1))
  }
}
