import Dispatch
import OperationPool
import Synchronization

/// A queue of a storm; remembers what it has been set to.
final class StormQueue: Sendable {
  struct Setting {
    static let open = Self()

    var width = Int.max
    var isSuspended = false

    /// How much may execute at once.
    fileprivate var supply: Int { isSuspended ? 0 : width }
  }

  let queue: PoolOperationQueue
  private let name: StormSupply
  private let trace: StormTrace
  private let setting = Mutex(Setting.open)
  private let hasCancelled = Atomic(false)

  init(_ index: Int, _ fleet: PoolFleet, _ callbacks: DispatchQueue, _ trace: StormTrace) {
    queue = PoolOperationQueue(fleet: fleet)
    queue.underlyingQueue = callbacks
    name = .width(queue: index)
    self.trace = trace
    trace.supply(name, .max)
  }

  /// Changes the queue's setting; one thread at a time, so that all know what holds.
  func set(_ change: (inout Setting) -> Void) {
    setting.withLock { setting in
      let old = setting
      change(&setting)
      // Until the call has returned, both hold.
      trace.supply(name, max(old.supply, setting.supply))
      if setting.width != old.width { queue.maxConcurrentOperationCount = setting.width }
      if setting.isSuspended != old.isSuspended { queue.isSuspended = setting.isSuspended }
      trace.supply(name, setting.supply)
    }
  }

  /// Whether all of its operations were ever cancelled.
  var wasCancelled: Bool { hasCancelled.load(ordering: .sequentiallyConsistent) }

  func cancelAll() {
    hasCancelled.store(true, ordering: .sequentiallyConsistent)
    queue.cancelAllOperations()
  }
}

/// A limit of a storm; remembers what it has been set to.
final class StormLimit: Sendable {
  let limit: PoolLimit
  private let trace: StormTrace
  private let count: Mutex<Int>

  init(_ count: Int, _ trace: StormTrace) {
    limit = PoolLimit(count)
    self.count = Mutex(count)
    self.trace = trace
    trace.supply(.limit, count)
  }

  /// Changes the limit; one thread at a time, so that all know what holds.
  func set(_ new: Int) {
    count.withLock { count in
      trace.supply(.limit, max(count, new))
      limit.setCount(new)
      trace.supply(.limit, new)
      count = new
    }
  }
}
