import PoolContents
import PoolCore
import PoolModel
import PoolSystem
import PoolWire
import Synchronization

/// Products of operations that are inputs of others, for all clients of an engine.
///
/// The store holds a product until its maker has ended; from then on only the operations that take
/// it hold it, each until it has ended itself. So a product is released with the last of them, and
/// at once if no operation takes it any longer.
///
/// This lock may be taken while the engine's is held, and an operation's lock while this one is
/// held; never in the other order.
final class InputStore: Sendable {
  private struct State {
    /// The awaited products, by the operation that will make each.
    var awaited: [OperationID: InputContent] = [:]
    /// The inputs of operations, by the operation that takes them.
    var inputs: [OperationID: [OperationInput]] = [:]
  }

  private let state = Mutex(State())
  private let hasBegun = Atomic(false)
  private let thread = JobThread(name: "opool-inputs")
  /// Whether the pool ends, so that no copy of a product is finished.
  private let isStopped = Atomic(false)

  /// Whether any operation ever took an input; if not, lookups are skipped.
  var isUsed: Bool { hasBegun.load(ordering: .sequentiallyConsistent) }

  /// Number of operations with a stored product or stored inputs.
  var keptCount: Int { state.withLock { $0.awaited.count + $0.inputs.count } }

  /// Makes the product of one operation an input of another.
  ///
  /// The closure is called under the lock: if the maker has ended, it fills the product and returns
  /// true.
  func give<Failure: Error>(
    _ description: InputDescription,
    of maker: OperationID,
    to taker: OperationID,
    hasEnded: (InputContent) throws(Failure) -> Bool
  ) throws(Failure) {
    // First: a maker that ends meanwhile has its outcome, or is to be noted.
    hasBegun.store(true, ordering: .sequentiallyConsistent)
    try state.withLock { state throws(Failure) in
      let content = state.awaited[maker] ?? InputContent(isOutput: description.isOutput)
      state.awaited[maker] = try hasEnded(content) ? nil : content
      state.inputs[taker, default: []].append(OperationInput(description, content))
    }
  }

  /// The inputs of an operation.
  func inputs(of taker: OperationID) -> [OperationInput] {
    isUsed ? state.withLock { $0.inputs[taker] ?? [] } : []
  }

  /// Whether another operation takes the product of this one, which has not ended.
  func isAwaited(from maker: OperationID) -> Bool {
    isUsed && state.withLock { $0.awaited[maker] != nil }
  }

  /// An operation has ended, and the client was told; or it is forgotten without a product.
  ///
  /// Call it only if the store ``isUsed``, because operations end by the million.
  func noteEnd(of operation: OperationID, _ report: AttemptReport? = nil) {
    // Returned from the closure, so that no file is removed under the lock.
    let (product, inputs) = state.withLock { state in
      (state.awaited.removeValue(forKey: operation), state.inputs.removeValue(forKey: operation))
    }
    if let report { product?.fill(output: report.standardOutput, result: report.answer?.result) }
    _ = consume inputs
  }

  /// Prepares the inputs of an operation, on the store's thread if there are any.
  func prepare(
    _ taker: OperationID,
    _ finished: @escaping @Sendable (Preparation<AttemptReport>) -> Void
  ) {
    let inputs = inputs(of: taker)
    guard !inputs.isEmpty else { return finished(.ready) }
    thread.submit { [self] in
      finished(Preparation(of: inputs) { !isStopped.load(ordering: .relaxed) })
    }
  }

  /// Stops the preparations that are pending; no file is held for one afterwards.
  func stop() {
    isStopped.store(true, ordering: .relaxed)
    thread.wait()
    isStopped.store(false, ordering: .relaxed)
  }
}
