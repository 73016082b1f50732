package import PoolContents
import PoolCore
import PoolModel
package import PoolWire

/// One execution of a command for each block.
package struct BlockWorkload: TemplateWorkload {
  package let template: Template
  package let blocks: BlockList

  package init(template: Template, blocks: BlockList) {
    self.template = template
    self.blocks = blocks
  }

  package var count: Int { blocks.count }

  /// Where the block is in the input: its first byte and its last one, counted from 0.
  package func input(of operation: Int) -> [UInt8]? {
    let range = blocks.range(of: operation)
    return Array("bytes \(range.lowerBound)-\(range.upperBound - 1)".utf8)
  }

  package func inputByteCount(of operation: Int) -> Int64 {
    Int64(blocks.range(of: operation).count)
  }

  package func execution(of operation: Int) -> OperationExecution {
    var execution = plainExecution(of: operation)
    execution.standardInput = blocks.input(operation)
    return execution
  }

  package func inputDigests(of operation: Int) -> [ContentDigest] { blocks.digests(of: operation) }

  package func release(_ operation: Int) -> Int { blocks.release(operation) }

  package func command(_ operation: Int) -> CommandPayload {
    template.command(TemplateInput([], number: operation + 1))
  }
}
