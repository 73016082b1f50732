import Dispatch

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

  /// Executes the block in a task; one that does not suspend, on a thread that it may block.
  fileprivate func execute() async throws {
    switch self {
    case .suspending(let block): try await block()
    case .plain(let block):
      let execution = InProcessExecution.current
      try await withCheckedThrowingContinuation {
        (continuation: CheckedContinuation<Void, any Error>) in
        DispatchQueue.global().async {
          InProcessExecution.$current.withValue(execution) {
            continuation.resume(with: Result { try block() })
          }
        }
      }
    }
  }
}

extension InProcessBody {
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

  /// Executes all blocks concurrently; throws the error of the first of them that threw.
  private static func executeBeside(_ blocks: [BlockBody]) async throws {
    typealias Failure = (index: Int, error: any Error)
    let failures: [Failure] = await withTaskGroup(of: Failure?.self) { group in
      for (index, block) in blocks.enumerated() {
        group.addTask {
          do {
            try await block.execute()
            return nil
          } catch {
            return (index, error)
          }
        }
      }
      return await group.reduce(into: []) { if let failure = $1 { $0.append(failure) } }
    }
    if let first = failures.min(by: { $0.index < $1.index }) { throw first.error }
  }
}
