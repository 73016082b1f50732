import Dispatch
import PoolCore
import PoolModel
import PoolSystem
import Synchronization

/// The part of a queue that lives until its last operation has finished: its number in the machine,
/// and its state.
///
/// Every operation in the queue holds it, and it holds the fleet: so a released queue finishes its
/// work, and after the last operation the workers end.
final class QueueCore: Sendable {
  let id: QueueID
  let fleet: PoolFleet
  let settings = Mutex(Settings())
  /// Whether workers need to know nothing about the queue; read for each operation, so not behind
  /// the lock.
  private let isPlain = Atomic(true)
  /// Whether any queue ever had an underlying queue; until then, no operation that ends looks for
  /// one.
  static let hasAnyUnderlyingQueue = Atomic(false)
  /// Whether the queue ever had observers; asked without the lock, too.
  let isObserved = Atomic(false)
  private let unfinished = Atomic(0)
  /// Number of maps whose inputs have not ended.
  private let openMapCount = Atomic(0)
  /// The threads and tasks that wait until the queue is empty.
  private let waiters = Mutex(EndWaiters())

  /// Settings by the queue's owner that the machine need not know.
  struct Settings {
    var name: String?
    var qualityOfService = PoolQualityOfService.default
    var underlyingQueue: DispatchQueue?
    /// The queue's observers, if it ever had any.
    var observers: QueueObservers?

    /// The public queue object; nil once it was released.
    weak var face: PoolOperationQueue?

    /// The dispatch queue of callbacks.
    var callbackQueue: DispatchQueue { underlyingQueue ?? .global() }

    fileprivate var hasDefaults: Bool { name == nil && qualityOfService == .default }

    /// The quality of service for an operation of the queue, given the operation's own.
    func qualityOfService(of own: PoolQualityOfService) -> PoolQualityOfService {
      own == .default ? qualityOfService : own
    }
  }

  /// Whether it is the queue of operations that are started without one.
  let isLoose: Bool
  let shutdown = Mutex(Shutdown())
  let room = Mutex(Room())
  /// Number of tasks that wait for room, or are about to.
  let roomWaiterCount = Atomic(0)

  init(_ fleet: PoolFleet, isLoose: Bool = false) {
    self.fleet = fleet
    self.isLoose = isLoose
    id = Self.engine.addQueue(to: fleet.id)
    fleet.life.withLock { $0.queues[id] = PoolFleet.Life.Queue() }
  }

  deinit {
    // Before its number may name another one.
    fleet.life.withLock { _ = $0.queues.removeValue(forKey: id) }
    Self.engine.dropQueue(id)
  }

  static var engine: PoolEngine { OperationRegistry.process.engine }

  var hasDefaults: Bool { isPlain.load(ordering: .relaxed) }

  /// Changes the owner's settings.
  func change(_ body: (inout Settings) -> Void) {
    settings.withLock { settings in
      body(&settings)
      isPlain.store(settings.hasDefaults, ordering: .relaxed)
    }
  }

  /// The dispatch queue of callbacks.
  var callbackQueue: DispatchQueue { settings.withLock { $0.callbackQueue } }

  /// The dispatch queue that the owner has chosen for callbacks, if any.
  var underlyingQueue: DispatchQueue? { settings.withLock { $0.underlyingQueue } }

  /// Whether a map reads inputs that it will add as operations.
  var isMapping: Bool { openMapCount.load(ordering: .relaxed) != 0 }

  /// A map begins to read its inputs (1), or has ended (-1).
  func countOpenMaps(_ change: Int) {
    openMapCount.add(change, ordering: .sequentiallyConsistent)
    observers?.progress?.openChanged()
  }

  /// Operations were added.
  func countUp(_ count: Int) {
    unfinished.add(count, ordering: .acquiringAndReleasing)
  }

  /// An operation has finished completely; the last one wakes threads and tasks that wait for all.
  func countDown() {
    // Either this thread sees a task that waits for room, or that task sees the room.
    let rest = unfinished.subtract(1, ordering: .sequentiallyConsistent).newValue
    if roomWaiterCount.load(ordering: .sequentiallyConsistent) != 0 { giveRoom() }
    if rest == 0 { wakeWaiters() }
  }

  /// Operations were refused after all.
  ///
  /// Wakes others on another thread, because the engine's lock may be held: the executor of a
  /// waiting task is the user's.
  func takeBack(_ count: Int) {
    let rest = unfinished.subtract(count, ordering: .sequentiallyConsistent).newValue
    let givesRoom = roomWaiterCount.load(ordering: .sequentiallyConsistent) != 0
    guard givesRoom || rest == 0 && waiterCount != 0 else { return }
    DispatchQueue.global().async { [self] in
      giveRoom()
      wakeWaiters()
    }
  }

  /// Wakes waiters, unless more operations were added since: then they go on waiting for those.
  private func wakeWaiters() {
    waiters.withLock { isEmpty ? $0.takeAll() : EndWaiters() }.wakeAll()
  }

  /// Number of threads and tasks that wait until the queue is empty.
  var waiterCount: Int { waiters.withLock { $0.count } }

  /// Number of operations that were added and have not finished completely.
  var unfinishedCount: Int { unfinished.load(ordering: .sequentiallyConsistent) }

  var isEmpty: Bool { unfinished.load(ordering: .acquiring) == 0 }

  /// Waits until the queue is empty; blocks the thread.
  func waitUntilEmpty() {
    let waiter = waiters.withLock { waiters -> ThreadWaiter? in
      guard !isEmpty else { return nil }
      let waiter = ThreadWaiter()
      waiters.add(waiter)
      return waiter
    }
    waiter?.wait()
  }

  /// Waits until the queue is empty, even in a cancelled task.
  func becomeEmpty() async {
    await awaitCount(as: 0, unlessCancelled: false)
  }

  /// Waits until the queue is empty, or the task is cancelled.
  func becomeEmptyUnlessCancelled() async throws(CancellationError) {
    let number = waiters.withLock { $0.begin() }
    await withTaskCancellationHandler {
      await awaitCount(as: number, unlessCancelled: true)
    } onCancel: {
      waiters.withLock { $0.remove(number) }?.resume()
    }
    guard isEmpty || !Task.isCancelled else { throw CancellationError() }
  }

  /// Waits until the last operation has finished.
  private func awaitCount(as number: Int, unlessCancelled stops: Bool) async {
    await withCheckedContinuation { continuation in
      let waits = waiters.withLock { waiters in
        // Checked under the lock: the last operation, and a later cancellation, find this
        // continuation.
        guard !isEmpty, !stops || !Task.isCancelled else { return false }
        waiters.add(number, continuation)
        return true
      }
      if !waits { continuation.resume() }
    }
  }
}
