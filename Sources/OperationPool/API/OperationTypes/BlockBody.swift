/// One block of an operation.
enum BlockBody: Sendable {
  case plain(PoolBlockOperation.Block)
  case suspending(PoolBlockOperation.AsyncBlock)

  var suspends: Bool {
    if case .suspending = self { return true }
    return false
  }

  /// The block as an asynchronous one, without a thread of its own.
  var asynchronous: PoolBlockOperation.AsyncBlock {
    switch self {
    case .plain(let block): { try block() }
    case .suspending(let block): block
    }
  }
}

extension ExecutionBody {
  /// Threads if no block suspends, otherwise a task.
  init(of blocks: [BlockBody]) {
    if blocks.count == 1 {
      switch blocks[0] {
      case .plain(let only): self = .block(only)
      case .suspending(let only): self = .asynchronous(only)
      }
      return
    }
    let plain = blocks.compactMap { block in
      if case .plain(let block) = block { block } else { nil }
    }
    if plain.count == blocks.count {
      self = .blocks(plain)
    } else {
      self = .asynchronous { try await Self.executeBeside(blocks) }
    }
  }

  /// Executes all blocks concurrently, those that do not suspend on threads that they may block;
  /// throws the error of the first of them that threw.
  private static func executeBeside(_ blocks: [BlockBody]) async throws {
    guard let execution = BlockExecution.current else {
      preconditionFailure("a body is executed by an execution")
    }
    let failures: [BlockRound.Failure] = await withTaskGroup(of: BlockRound.Failure?.self) {
      group in
      var plain: [BlockRound.Block] = []
      for (index, block) in blocks.enumerated() {
        switch block {
        case .plain(let body): plain.append((index, body))
        case .suspending(let body): group.addTask { await failure(of: body, index, in: execution) }
        }
      }
      group.addTask { [plain] in await execution.executeOnThreads(plain) }
      return await group.reduce(into: []) { if let failure = $1 { $0.append(failure) } }
    }
    if let first = failures.min(by: { $0.index < $1.index }) { throw first.error }
  }

  private static func failure(
    of block: PoolBlockOperation.AsyncBlock,
    _ index: Int,
    in execution: BlockExecution
  ) async -> BlockRound.Failure? {
    do {
      try await execution.executeInChild(block)
      return nil
    } catch {
      return (index, error)
    }
  }
}
