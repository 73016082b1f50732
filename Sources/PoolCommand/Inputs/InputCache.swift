import OperationPool
import PoolModel
import PoolWire

/// Outputs of operations that others take as inputs, kept until the last of these has ended.
struct InputCache {
  private struct Product {
    /// Number of inputs, of operations that have not ended, that are this output.
    var uses = 0
    let content: InputContent
  }

  /// By the number of the operation that wrote it.
  private var products: [Int: Product] = [:]

  /// Finds the operations whose outputs a batch names as inputs.
  init(_ batch: any Batch) {
    for operation in 0..<batch.count {
      batch.forEachInput(of: operation) { _, source in
        products[source, default: Product(content: Self.content(of: source, in: batch))].uses += 1
      }
    }
  }

  private static func content(of source: Int, in batch: any Batch) -> InputContent {
    let kind = batch.kindNames[batch.kindIndex(of: source)]
    return InputContent(isOutput: kind == CommandPayload.kind)
  }

  /// The inputs of an operation.
  func inputs(of operation: Int, in batch: any Batch) -> [OperationInput] {
    var inputs: [OperationInput] = []
    batch.forEachInput(of: operation) { name, source in
      guard let product = products[source] else {
        preconditionFailure("an input is kept until those that are given it have ended")
      }
      let name = String(decoding: name, as: UTF8.self)
      let maker = Printable.text(batch.name(of: source))
      inputs.append(OperationInput(name: name, from: maker, product.content))
    }
    return inputs
  }

  /// An operation has ended: keeps its output if others need it, and releases its own inputs.
  mutating func settle(_ operation: Int, _ report: AttemptReport, in batch: any Batch) {
    if products.isEmpty { return }
    products[operation]?.content.fill(from: report)
    batch.forEachInput(of: operation) { _, source in
      products[source]?.uses -= 1
      if products[source]?.uses == 0 { products[source] = nil }
    }
  }
}
