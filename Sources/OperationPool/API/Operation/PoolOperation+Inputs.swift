import PoolContents
import PoolCore
import PoolModel
import PoolWire
import Synchronization

extension PoolInvocationOperation {
  /// Passes the product of another operation to this one, as an input with this name.
  ///
  /// The product of a command is its whole standard output, that of others is the result. This
  /// operation depends on the other, and is skipped if that does not succeed; the worker's context
  /// has the input. Blocks and groups have no product. No effect on an operation that executes.
  ///
  /// Throws ``PoolError`` if the name is taken, if there is no product, if operations would wait
  /// for each other in a cycle, and once the operation was added to a queue.
  public func addInput(_ name: String, from operation: PoolOperation) throws(PoolError) {
    try takeInput(name, from: operation)
  }
}

extension PoolCommandOperation {
  /// Passes the product of another operation to this command, as a file.
  ///
  /// The variable `OPOOL_INPUT_` with the name has its path; each character that is no letter or
  /// digit becomes `_`.
  ///
  /// Otherwise like ``PoolInvocationOperation/addInput(_:from:)``.
  public func addInput(_ name: String, from operation: PoolOperation) throws(PoolError) {
    try takeInput(name, from: operation)
  }
}

extension PoolTypedOperation {
  /// Passes the product of another operation to this one, in addition to its properties.
  ///
  /// Otherwise like ``PoolInvocationOperation/addInput(_:from:)``.
  public func addInput(_ name: String, from operation: PoolOperation) throws(PoolError) {
    try takeInput(name, from: operation)
  }
}

extension PoolOperation {
  fileprivate func takeInput(_ name: String, from maker: PoolOperation) throws(PoolError) {
    try demandInputName(name)
    guard !BlockWorker.hello.kinds.contains(maker.kind) else {
      throw PoolError(
        .invalidInput,
        "'\(maker.numberedLabel)' is executed in this process: it makes no input"
      )
    }
    let isOutput = maker.kind == CommandPayload.kind
    let description = InputDescription(name: name, from: maker.numberedLabel, isOutput: isOutput)
    // Checked before any change: an operation that has ended may have no product left.
    if let outcome = maker.outcome {
      try InputContent(isOutput: isOutput).fill(from: outcome, of: maker)
    }
    // A dependency without a requirement is replaced by one that requires success.
    if life.withLock({ $0.dependencies.contains(maker) }) { removeDependency(maker) }
    try addDependency(maker, requiring: .succeeded)
    try OperationRegistry.process.update { transaction throws(PoolError) in
      let (own, other) = (register(&transaction), maker.register(&transaction))
      guard !life.withLock({ $0.isAdded }) else { throw .alreadyAdded(self) }
      let inputs = OperationRegistry.process.engine.inputs
      try inputs.give(description, of: other, to: own) { content throws(PoolError) in
        guard let outcome = maker.outcome else { return false }
        try content.fill(from: outcome, of: maker)
        return true
      }
      life.withLock { $0.takesInputs = true }
      transaction.requestPreparation(of: own)
    }
  }

  private func demandInputName(_ name: String) throws(PoolError) {
    let (id, isAdded) = life.withLock { ($0.id, $0.isAdded) }
    guard !isAdded else { throw .alreadyAdded(self) }
    let inputs = id.map { OperationRegistry.process.engine.inputs.inputs(of: $0) } ?? []
    let names = inputs.map(\.name) + [name]
    if Set(names).count < names.count {
      throw PoolError(.invalidInput, "'\(numberedLabel)' has an input '\(name)' already")
    }
    guard kind == CommandPayload.kind,
      let collision = CommandPayload.collision(ofInputs: names)
    else { return }
    throw PoolError(.invalidInput, "'\(numberedLabel)' cannot have the input: \(collision)")
  }
}

extension InputContent {
  /// Takes the product from an outcome, if it still has one.
  fileprivate func fill(
    from outcome: PoolOutcome,
    of maker: PoolOperation
  ) throws(PoolError) {
    guard isOutput else { return fill(with: outcome.packedResult ?? Array("null".utf8)) }
    guard !outcome.standardOutputExtent.isTruncated else {
      throw PoolError(
        .invalidInput,
        "'\(maker.numberedLabel)' has finished: not all of its output was kept"
      )
    }
    fill(with: outcome.standardOutput)
  }
}
