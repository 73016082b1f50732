import OperationPool
import PoolCore
import PoolJournal
import PoolModel
import PoolWire

/// One execution of a command for each block.
struct BlockWorkload: TemplateWorkload {
  let template: Template
  let blocks: BlockList

  var count: Int { blocks.count }

  /// Where the block is in the input: its first byte and its last one, counted from 0.
  func input(of operation: Int) -> [UInt8]? {
    let range = blocks.range(of: operation)
    return Array("bytes \(range.lowerBound)-\(range.upperBound - 1)".utf8)
  }

  func inputByteCount(of operation: Int) -> Int64 { Int64(blocks.range(of: operation).count) }

  func execution(of operation: Int) -> OperationExecution {
    var execution = plainExecution(of: operation)
    execution.standardInput = blocks.input(operation)
    return execution
  }

  func inputDigests(of operation: Int) -> [ContentDigest] { blocks.digests(of: operation) }

  func release(_ operation: Int) -> Int { blocks.release(operation) }

  func command(_ operation: Int) -> CommandPayload {
    template.command(TemplateInput([], number: operation + 1))
  }
}
