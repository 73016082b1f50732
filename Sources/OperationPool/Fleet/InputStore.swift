import PoolCore
import PoolModel
import Synchronization

/// What operations make for others, for all clients of an engine.
///
/// What will be made is kept until the operation that makes it has ended; from then on only those
/// that take it keep it, each until it has ended itself. So a product is gone with the last of
/// them, and at once where nothing takes it any more.
///
/// Its lock may be taken while the engine's is held, and an operation's while its own is; never the
/// other way round.
final class InputStore: Sendable {
  private struct State {
    /// By the operation that will make it.
    var awaited: [OperationID: InputContent] = [:]
    /// By the operation that takes them.
    var inputs: [OperationID: [OperationInput]] = [:]
  }

  private let state = Mutex(State())
  private let hasBegun = Atomic(false)
  private let thread = InputThread()

  /// Whether any operation ever took an input: while none did, nothing need be looked up.
  var isUsed: Bool { hasBegun.load(ordering: .relaxed) }

  /// Number of operations that something is kept for.
  var keptCount: Int { state.withLock { $0.awaited.count + $0.inputs.count } }

  /// Hands what one operation makes to another.
  ///
  /// The closure is called under the lock: where the maker has ended, it fills the product, and
  /// returns true.
  func give<Failure: Error>(
    _ description: InputDescription,
    of maker: OperationID,
    to taker: OperationID,
    hasEnded: (InputContent) throws(Failure) -> Bool
  ) throws(Failure) {
    try state.withLock { state throws(Failure) in
      let content = state.awaited[maker] ?? InputContent(isOutput: description.isOutput)
      state.awaited[maker] = try hasEnded(content) ? nil : content
      state.inputs[taker, default: []].append(OperationInput(description, content))
    }
    hasBegun.store(true, ordering: .relaxed)
  }

  /// What an operation takes.
  func inputs(of taker: OperationID) -> [OperationInput] {
    isUsed ? state.withLock { $0.inputs[taker] ?? [] } : []
  }

  /// An operation has ended, of which the client was told; or it is forgotten, and makes nothing.
  ///
  /// Called where the store ``isUsed`` only, because operations end by the million.
  func settle(_ operation: OperationID, _ report: AttemptReport? = nil) {
    // Handed out, so that no file is removed under the lock.
    let (product, inputs) = state.withLock { state in
      (state.awaited.removeValue(forKey: operation), state.inputs.removeValue(forKey: operation))
    }
    if let report { product?.fill(from: report) }
    _ = consume inputs
  }

  /// Prepares what an operation takes, on a thread of its own where there is anything.
  func prepare(_ taker: OperationID, _ finished: @escaping @Sendable (Preparation) -> Void) {
    let inputs = inputs(of: taker)
    guard !inputs.isEmpty else { return finished(.ready) }
    thread.submit { finished(Preparation(of: inputs)) }
  }

  /// Waits until nothing is being prepared any more, and no file is kept for that.
  func wait() { thread.wait() }
}
