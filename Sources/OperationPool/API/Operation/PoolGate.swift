import PoolCore
import PoolModel
import Synchronization

/// Holds an operation back until it is opened: readiness that depends on something outside the
/// pool.
///
/// ```swift
/// let gate = operation.addGate()
/// try queue.addOperation(operation)
/// gate.open()
/// ```
///
/// The gate counts as a dependency that has not finished. It can be opened at any time, from any
/// thread, even before the operation is added. If a gate is released without having been opened,
/// its operation could never execute, so it is cancelled.
public final class PoolGate: Sendable {
  private let operation: PoolOperation
  private let id: OperationID
  private let hasOpened = Atomic(false)

  init(_ operation: PoolOperation, _ id: OperationID) {
    self.operation = operation
    self.id = id
  }

  deinit {
    if !hasOpened.load(ordering: .acquiring) { operation.cancel(as: .gate) }
  }

  /// Whether the gate was opened.
  public var isOpen: Bool { hasOpened.load(ordering: .acquiring) }

  /// Opens the gate; a second call has no effect.
  public func open() {
    guard !hasOpened.exchange(true, ordering: .acquiringAndReleasing) else { return }
    OperationRegistry.process.update { _ = $0.change(.openGate(id)) }
  }
}

extension PoolOperation {
  /// Holds the operation back until the gate is opened.
  ///
  /// No effect once the operation has been handed to a worker.
  public func addGate() -> PoolGate {
    OperationRegistry.process.update { transaction in
      let id = register(&transaction)
      let gate = PoolGate(self, id)
      if !transaction.addGate(to: id) { gate.lapse() }
      return gate
    }
  }
}

extension PoolGate {
  /// The gate was added too late.
  fileprivate func lapse() {
    hasOpened.store(true, ordering: .releasing)
  }
}
