import OperationPool
import PoolInputs
import PoolSystem

/// Cuts the input of a run into blocks, one for each operation.
struct BlockProducer: WorkloadProducer {
  let source: BlockSource
  let blocks: BlockList
  /// What messages call the input.
  let name: String
  let limits: InputReadAhead.Limits
  let files: [InputFile]

  func produce(for session: RunSession) throws {
    do {
      try source.forEachBlock(while: session.wantsInput) { block in
        let content = try block.bytes.map { try TemporaryFile.openInMemory(holding: $0) }
        let number = blocks.append(end: block.end, content)
        if session.journal != nil, !blocks.digest(number, while: { !session.isEnding }) { return }
        session.submit(number..<number + 1, byteCount: block.bytes?.count ?? 0)
      }
      if blocks.count == 0, !session.flow.isOver { session.say("\(name) is empty") }
    } catch {
      session.refuseInput("opool: \(name): \(error)", as: .usage)
    }
  }
}

extension BlockStream.LongRecord: CustomStringConvertible {
  var description: String {
    "the record at byte \(offset) has more than \(limit) bytes, for which there is no memory; "
      + "give a file with -a, or check --recend"
  }
}
