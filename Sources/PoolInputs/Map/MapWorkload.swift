package import PoolContents
import PoolCore
import PoolModel
package import PoolWire

/// One command per input.
package struct MapWorkload: TemplateWorkload {
  package let template: Template
  package let inputs: InputList
  /// What the fields of an input are called in a folder of results.
  package var labels = FieldLabels()

  package init(template: Template, inputs: InputList, labels: FieldLabels = FieldLabels()) {
    self.template = template
    self.inputs = inputs
    self.labels = labels
  }

  package var count: Int { inputs.count }

  package func input(of operation: Int) -> [UInt8]? {
    Array(inputs[operation].joined(separator: [UInt8(ascii: " ")]))
  }

  package func inputs(of operation: Int) -> [[UInt8]]? { inputs[operation] }

  package func inputByteCount(of operation: Int) -> Int64 { 0 }

  package func resultsPath(of operation: Int) -> [[UInt8]]? { labels.path(of: inputs[operation]) }

  package func tagInput(of operation: Int) -> TemplateInput {
    TemplateInput(inputs[operation], number: operation + 1)
  }

  package func release(_ operation: Int) -> Int { inputs.release(operation) }

  package func execution(of operation: Int) -> OperationExecution {
    var execution = plainExecution(of: operation)
    if template.mayRefuse {
      let input = TemplateInput(inputs[operation], number: operation + 1)
      execution.refusal = template.refusal(of: input)
    }
    return execution
  }

  package func command(_ operation: Int) -> CommandPayload {
    template.command(TemplateInput(inputs[operation], number: operation + 1))
  }
}
