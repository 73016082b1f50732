import OperationPool
import PoolCore
import PoolJournal
import PoolModel
import PoolWire

/// One execution of a command for each block.
struct BlockBatch: Batch {
  let template: Template
  let blocks: BlockList

  var count: Int { blocks.count }
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

  /// Where the block is in the input: its first byte and its last one, counted from 0.
  func input(of operation: Int) -> [UInt8]? {
    let range = blocks.range(of: operation)
    return Array("bytes \(range.lowerBound)-\(range.upperBound - 1)".utf8)
  }

  func inputByteCount(of operation: Int) -> Int64 { Int64(blocks.range(of: operation).count) }

  func execution(of operation: Int) -> OperationExecution {
    var execution = OperationExecution(
      kind: CommandPayload.kind,
      qualityOfService: .default,
      payload: command(operation).json
    )
    execution.standardInput = blocks.input(operation)
    return execution
  }

  func inputDigests(of operation: Int) -> [ContentDigest] { blocks.digests(of: operation) }

  func release(_ operation: Int) -> Int { blocks.release(operation) }

  private func command(_ operation: Int) -> CommandPayload {
    template.command(TemplateInput([], number: operation + 1))
  }
}
