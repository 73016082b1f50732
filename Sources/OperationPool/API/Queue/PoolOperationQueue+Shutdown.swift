import PoolCore
import PoolModel
import Synchronization

/// How a shutdown treats the operations that have not finished.
public enum PoolShutdown: Hashable, Sendable, CaseIterable {
  /// They finish.
  case finish
  /// They are cancelled.
  case cancel
}

extension PoolOperationQueue {
  /// Lets the queue take no more operations, finishes or cancels those it has, and returns when
  /// none is left.
  ///
  /// A suspended queue is resumed. If the queue was made with workers of its own, and no other
  /// queue uses them, they have ended and been reaped when this returns. A fleet that was made for
  /// several queues is not closed. From now on, adding to the queue throws ``PoolError`` with the
  /// code ``PoolError/Code/shutDown``.
  ///
  /// It may be called several times and by several tasks: each call returns after the shutdown, and
  /// if one call cancels, all operations are cancelled. Cancelling the calling task has no effect.
  ///
  /// In a block of the queue, which would wait for itself, it does nothing, and the block fails
  /// with a ``PoolError`` of the code ``PoolError/Code/deadlock``, whatever it does afterwards. A
  /// block may start a task that shuts the queue down, and return.
  public func shutdown(_ mode: PoolShutdown = .finish) async {
    if core.failsCaller() { return }
    await end(mode)
  }

  private func end(_ mode: PoolShutdown) async {
    engine.update { _ in core.shutdown.withLock { $0.hasBegun = true } }
    core.refuseRoom()
    isSuspended = false
    if maxConcurrentOperationCount == 0 { maxConcurrentOperationCount = 1 }
    if mode == .cancel { cancelAllOperations() }
    await core.becomeEmpty()
    if ownsFleet { await fleet.endUnlessShared() }
    core.shutdown.withLock { shutdown in
      shutdown.isOver = true
      return shutdown.waiters.takeAll()
    }.wakeAll()
  }

  /// Waits until the queue is shut down by ``shutdown(_:)``, for use as a service in a group of
  /// services.
  ///
  /// If its task is cancelled, it shuts the queue down itself and cancels the remaining operations.
  /// In a block of the queue, it does what ``shutdown(_:)`` does there.
  public func run() async {
    if core.failsCaller() { return }
    await withTaskCancellationHandler {
      await core.becomeShutDown()
    } onCancel: {
      Task { await end(.cancel) }
    }
  }
}

extension QueueCore {
  /// The progress of the queue's shutdown.
  struct Shutdown {
    var hasBegun = false
    var isOver = false
    /// The tasks that wait until it is over.
    var waiters = EndWaiters()
  }

  /// Whether operations may be added; read and changed under the engine's lock.
  var takesOperations: Bool {
    !shutdown.withLock { $0.hasBegun } && !fleet.life.withLock { $0.isClosed }
  }

  fileprivate func becomeShutDown() async {
    await withCheckedContinuation { continuation in
      let waits = shutdown.withLock { shutdown in
        guard !shutdown.isOver else { return false }
        shutdown.waiters.add(0, continuation)
        return true
      }
      if !waits { continuation.resume() }
    }
  }
}

extension PoolFleet {
  /// Ends the workers unless several queues use them, and waits for their end.
  fileprivate func endUnlessShared() async {
    let registry = OperationRegistry.process
    // Under the engine's lock, under which operations are added.
    // What was found is released after that, because it may be the last reference.
    var found: [PoolOperationQueue] = []
    let keeper = registry.engine.closeFleet(id) { transaction in
      life.withLock { life in
        found = life.queues.values.compactMap(\.face)
        // One that the user has released is in use while it has operations.
        let used = life.queues.filter { id, queue in
          queue.face != nil || transaction.unsettledCount(of: id) > 0
        }
        guard !life.isClosed, used.count == 1 else { return true }
        life.isClosed = true
        return false
      }
    }
    withExtendedLifetime(found) {}
    if let keeper {
      life.withLock { $0.keeper = keeper }
      registry.fleetObservers.end(id)
    }
    guard life.withLock({ $0.isClosed }) else { return }
    while !registry.engine.isGone(id) { await becomeGone(registry) }
    // The loop tells states at the end of its turn; by then the caller may have released the fleet.
    registry.fleetStates.tell(registry.engine, of: [id])
  }

  /// Waits until a worker configuration of the fleet has ended.
  private func becomeGone(_ registry: OperationRegistry) async {
    await withCheckedContinuation { continuation in
      let waits = registry.fleetEnds.withLock { waiters in
        guard !registry.engine.isGone(id) else { return false }
        waiters[id, default: EndWaiters()].add(0, continuation)
        return true
      }
      if !waits { continuation.resume() }
    }
  }
}

extension PoolError {
  /// Operations were added after the shutdown of this queue.
  static func shutDown(_ queue: QueueCore) -> Self {
    let name = queue.settings.withLock { $0.name }
    let subject = name.map { "the queue '\($0)'" } ?? "the queue"
    return Self(.shutDown, "\(subject) was shut down, and takes no more operations")
  }
}
