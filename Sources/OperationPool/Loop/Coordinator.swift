package import PoolCore
package import PoolModel
import PoolSystem
import Synchronization

/// The process's side of a pool: the machine that decides, and the thread that acts for it.
///
/// Any thread may ask the machine something or tell it of an event, under a lock that is held for
/// no longer than that; the effects are performed by one thread of the coordinator's own. It ends
/// after ``stop()``, when all workers are gone.
package final class Coordinator: Sendable {
  /// What the lock guards.
  struct Shared {
    var machine: PoolMachine
    /// What other threads have to tell the loop.
    var notices: [Notice] = []
    var kinds: [String: KindID] = [:]
    var lastKind: (name: String, kind: KindID)?
    var programs: [PoolWorkers] = []
    /// Whether the loop waits, and must be woken.
    var isAsleep = false
  }

  /// What the spawner's threads and those of in-process workers tell the loop.
  enum Notice: Sendable {
    case started(WorkerID, StartedWorker)
    case failed(WorkerID, String)
    case ended(WorkerID, PoolExitStatus)
    /// An in-process worker takes operations.
    case greeted(WorkerID)
    /// An in-process worker has answered.
    case answered(WorkerID, DispatchReference, PoolEnding, AttemptReport)
  }

  let shared: Mutex<Shared>
  let wakePipe: WakePipe
  let ladder: PoolTerminationLadder
  private let epoch = MonotonicClock.now
  private let thread = Mutex<SystemThread?>(nil)

  /// Makes a coordinator with no workers; ``start(for:)`` starts its thread.
  package init(policy: PoolPolicy = PoolPolicy()) throws {
    shared = Mutex(Shared(machine: PoolMachine(policy: policy)))
    wakePipe = try WakePipe()
    ladder = policy.ladder
  }

  deinit {
    // The last reference may be the thread's own, which cannot join itself.
    thread.withLock { $0?.detach() }
  }

  /// The time of the run.
  package var now: Instant { Instant(nanoseconds: MonotonicClock.now - epoch) }

  /// Starts the thread; the client is kept until it has ended.
  package func start(for client: any CoordinatorClient) throws {
    let spawner = try WorkerSpawner()
    // A full mask: signals go to other threads, and a write to a dead worker only fails.
    do throws(SystemFailure) {
      let thread = try SystemThread.start(name: "opool", mask: .full) {
        EventLoop(self, client, spawner).run()
      }
      self.thread.withLock { $0 = thread }
    } catch {
      spawner.close()
      throw error
    }
  }

  /// Lets everything that is in the queue be forgotten, ends the workers, and then the thread.
  ///
  /// Operations that execute are finished first, or cancelled before by ``PoolMachine/cancelAll``.
  package func stop() {
    tell { machine, now in machine.close(at: now) }
  }

  /// Waits until the thread has ended; not from that thread.
  package func join() {
    let thread = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    thread?.join()
  }

  /// Asks the machine something, or tells it of an event, and wakes the loop.
  package func tell<Value>(_ body: (inout PoolMachine, Instant) -> sending Value) -> sending Value {
    update { shared, now in body(&shared.machine, now) }
  }

  /// Changes what the lock guards, and wakes the loop.
  func update<Value, Failure: Error>(
    _ body: (inout Shared, Instant) throws(Failure) -> sending Value
  ) throws(Failure) -> sending Value {
    let now = now
    var wasAsleep = false
    defer { if wasAsleep { wakePipe.wake() } }
    return try shared.withLock { shared throws(Failure) in
      wasAsleep = shared.isAsleep
      shared.isAsleep = false
      return try body(&shared, now)
    }
  }

  /// Forgets an operation that nobody can ask for any more.
  func release(_ operation: OperationID) {
    let now = now
    shared.withLock { $0.machine.release(operation, at: now) }
  }

  /// Asks the machine something.
  package func ask<Value>(_ body: (PoolMachine) -> sending Value) -> sending Value {
    shared.withLock { body($0.machine) }
  }

  /// The number of a kind, which is declared where it is new.
  package func kind(_ name: String) -> KindID {
    shared.withLock { $0.kind(name) }
  }

  /// Declares workers; they are started when there is work for them.
  package func addWorkers(_ workers: PoolWorkers) -> RecipeID {
    shared.withLock { shared in
      let kinds = workers.kinds?.map { shared.kind($0) }
      let spec = RecipeSpec(
        count: workers.count,
        kinds: kinds,
        isReserve: workers.isReserve,
        isExclusive: !workers.isProcess
      )
      shared.programs.append(workers)
      return shared.machine.addRecipe(spec)
    }
  }

  /// Tells the loop what happened elsewhere.
  func post(_ notice: Notice) {
    update { shared, _ in shared.notices.append(notice) }
  }
}

extension Coordinator.Shared {
  /// The number of a kind, which is declared where it is new.
  mutating func kind(_ name: String) -> KindID {
    // Most batches are of one kind, and comparing two names is cheaper than hashing one.
    if let lastKind, lastKind.name == name { return lastKind.kind }
    let kind = kinds[name] ?? machine.addKind()
    kinds[name] = kind
    lastKind = (name, kind)
    return kind
  }

  /// The loop is about to wait; returns how many nanoseconds at most, nil without limit.
  ///
  /// Whoever tells something from now on wakes it. Notices that came since it took them were told
  /// while it was awake, and so woke nobody: with these it does not wait.
  mutating func fallAsleep(at now: Instant) -> Int64? {
    guard notices.isEmpty else { return 0 }
    isAsleep = true
    return machine.nextDeadline.map { $0.nanoseconds - now.nanoseconds }
  }

  /// What other threads told since the last turn.
  mutating func takeNotices() -> [Coordinator.Notice] {
    defer { notices.removeAll() }
    return notices
  }
}

/// A worker process on its way from the spawner's thread to the loop's.
///
/// `@unchecked Sendable`: the spawner lets go of the process before the loop takes it.
final class StartedWorker: @unchecked Sendable {
  let process: WorkerProcess

  init(_ process: sending WorkerProcess) {
    self.process = process
  }
}
