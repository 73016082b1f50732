import PoolCore
import PoolModel
import PoolWire
import Synchronization

extension PoolInvocationOperation {
  /// Hands what another operation makes to this one, under a name, when that has succeeded.
  ///
  /// Of a command that is all that it writes to its standard output, of others the result. This
  /// operation depends on the other and is skipped where it does not succeed; the worker's context
  /// has the input. Blocks and groups make nothing. No effect on an operation that executes.
  ///
  /// Throws ``PoolError`` where the name is taken, where there is nothing to hand over, where
  /// operations would wait for each other in a cycle, and once the operation was added to a queue.
  public func addInput(_ name: String, from operation: PoolOperation) throws(PoolError) {
    try takeInput(name, from: operation)
  }
}

extension PoolCommandOperation {
  /// Hands what another operation makes to this command, when that has succeeded: as a file, whose
  /// path is in the variable `OPOOL_INPUT_` and the name, with `_` for what is no letter or digit.
  ///
  /// What is said of ``PoolInvocationOperation/addInput(_:from:)`` holds for the rest.
  public func addInput(_ name: String, from operation: PoolOperation) throws(PoolError) {
    try takeInput(name, from: operation)
  }
}

extension PoolTypedOperation {
  /// Hands what another operation makes to this one, beside its properties.
  ///
  /// What is said of ``PoolInvocationOperation/addInput(_:from:)`` holds for it.
  public func addInput(_ name: String, from operation: PoolOperation) throws(PoolError) {
    try takeInput(name, from: operation)
  }
}

extension PoolOperation {
  fileprivate func takeInput(_ name: String, from maker: PoolOperation) throws(PoolError) {
    try demandInputName(name)
    let content = try maker.productForOthers()
    // An end that mattered not is not enough any more.
    if book.withLock({ $0.dependencies.contains(maker) }) { removeDependency(maker) }
    try addDependency(maker, requiring: .succeeded)
    let input = OperationInput(name: name, from: maker.label, content)
    try OperationRegistry.process.update { transaction throws(PoolError) in
      let (isAdded, id) = book.withLock { book in
        if !book.isAdded { book.inputs.append(input) }
        return (book.isAdded, book.id)
      }
      guard !isAdded else { throw .alreadyAdded(self) }
      if let id { transaction.demandPreparation(of: id) }
    }
  }

  private func demandInputName(_ name: String) throws(PoolError) {
    let (names, isAdded) = book.withLock { ($0.inputs.map(\.name) + [name], $0.isAdded) }
    guard !isAdded else { throw .alreadyAdded(self) }
    if Set(names).count < names.count {
      throw PoolError(.invalidInput, "'\(label)' has an input '\(name)' already")
    }
    guard kind == CommandPayload.kind,
      let collision = CommandPayload.collision(ofInputs: names)
    else { return }
    throw PoolError(.invalidInput, "'\(label)' cannot have the input: \(collision)")
  }

  /// What it makes, for others to keep.
  private func productForOthers() throws(PoolError) -> InputContent {
    guard !InProcessWorker.hello.kinds.contains(kind) else {
      throw PoolError(.invalidInput, "'\(label)' is executed in this process: it makes no input")
    }
    let (product, outcome) = book.withLock { book in
      let product = book.product ?? InputContent(isOutput: kind == CommandPayload.kind)
      if book.settlement == nil { book.product = product }
      return (product, book.outcome)
    }
    if let outcome { try fill(product, from: outcome) }
    return product
  }

  /// Takes from an outcome what is still there.
  private func fill(_ product: InputContent, from outcome: PoolOutcome) throws(PoolError) {
    guard product.isOutput else { return product.fill(with: outcome.result ?? Array("null".utf8)) }
    guard outcome.standardOutput.count < OutputContent.prefixLimit else {
      throw PoolError(.invalidInput, "'\(label)' has finished: not all of its output was kept")
    }
    product.fill(with: outcome.standardOutput)
  }
}
