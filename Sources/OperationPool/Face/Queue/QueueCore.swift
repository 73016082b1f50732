import Dispatch
import PoolCore
import PoolModel
import PoolSystem
import Synchronization

/// What a queue is behind its face: its number in the machine, and what it keeps until its last
/// operation has finished.
///
/// Every operation in the queue keeps it, and it keeps the fleet: so a queue that was dropped
/// finishes its work, and with the last operation the workers end.
final class QueueCore: Sendable {
  let id: QueueID
  let fleet: PoolFleet
  let settings = Mutex(Settings())
  /// Whether it says nothing of its operations that a worker would have to know; asked for each of
  /// them, and so not under the lock.
  private let isPlain = Atomic(true)
  /// Whether the queue ever had observers; asked without the lock, too.
  let isObserved = Atomic(false)
  private let unfinished = Atomic(0)
  /// The threads and tasks that wait until the queue is empty.
  private let waiters = Mutex(EndWaiters())

  /// What a queue's owner has chosen, as far as the machine need not know it.
  struct Settings {
    var name: String?
    var qualityOfService = PoolQualityOfService.default
    var underlyingQueue: DispatchQueue?
    /// The queue's observers, if it ever had any.
    var watchers: QueueWatchers?

    /// What its owner has of it; nil once that was dropped.
    weak var face: PoolOperationQueue?

    /// Where blocks of the user's are called that have to do with the queue.
    var callbackQueue: DispatchQueue { underlyingQueue ?? .global() }

    fileprivate var hasDefaults: Bool { name == nil && qualityOfService == .default }

    /// The quality of service that holds in the queue for an operation with one of its own.
    func qualityOfService(of own: PoolQualityOfService) -> PoolQualityOfService {
      own == .default ? qualityOfService : own
    }
  }

  /// Whether it is for operations that are started without a queue.
  let isLoose: Bool
  /// The queue that the group is in, where this one is for the members of a group.
  private let outer: QueueCore?
  let shutdown = Mutex(Shutdown())
  let room = Mutex(Room())
  /// How many tasks wait for room, or are about to.
  let roomWaiterCount = Atomic(0)

  init(_ fleet: PoolFleet, isLoose: Bool = false) {
    self.fleet = fleet
    self.isLoose = isLoose
    outer = nil
    fleet.life.withLock { $0.queueCount += 1 }
    id = Self.engine.addQueue(to: fleet.id)
  }

  /// Makes a queue for the members of a group that is in another one, over the same workers.
  init(inside outer: QueueCore) {
    fleet = outer.fleet
    isLoose = false
    self.outer = outer
    id = Self.engine.addQueue(to: fleet.id)
  }

  /// The queue that is in no group: its observers see members, too.
  var outermost: QueueCore { outer?.outermost ?? self }

  deinit {
    if outer == nil { fleet.life.withLock { $0.queueCount -= 1 } }
    Self.engine.dropQueue(id)
  }

  static var engine: PoolEngine { OperationRegistry.process.engine }

  var hasDefaults: Bool { isPlain.load(ordering: .relaxed) }

  /// Changes what its owner has chosen.
  func change(_ body: (inout Settings) -> Void) {
    settings.withLock { settings in
      body(&settings)
      isPlain.store(settings.hasDefaults, ordering: .relaxed)
    }
  }

  /// Where blocks of the user's are called that have to do with the queue.
  var callbackQueue: DispatchQueue { settings.withLock { $0.callbackQueue } }

  /// The queue of Dispatch's that its owner has chosen for these, if any.
  var underlyingQueue: DispatchQueue? { settings.withLock { $0.underlyingQueue } }

  /// Operations were added.
  func countUp(_ count: Int) {
    unfinished.add(count, ordering: .acquiringAndReleasing)
  }

  /// An operation has finished in every respect; the last one wakes threads and tasks that wait
  /// for all.
  func countDown() {
    // Either this sees a task that waits for room, or that task sees the room.
    let rest = unfinished.subtract(1, ordering: .sequentiallyConsistent).newValue
    if roomWaiterCount.load(ordering: .sequentiallyConsistent) != 0 { giveRoom() }
    if rest == 0 { wakeWaiters() }
  }

  /// Wakes what waits, unless more was added since: what waits now may wait for that.
  private func wakeWaiters() {
    waiters.withLock { isEmpty ? $0.takeAll() : EndWaiters() }.wakeAll()
  }

  /// How many threads and tasks wait until the queue is empty.
  var waiterCount: Int { waiters.withLock { $0.count } }

  /// How many operations were added and have not finished in every respect.
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
        // Asked under the lock: the last operation, and what is cancelled later, find this
        // continuation.
        guard !isEmpty, !stops || !Task.isCancelled else { return false }
        waiters.add(number, continuation)
        return true
      }
      if !waits { continuation.resume() }
    }
  }
}
