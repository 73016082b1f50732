import Foundation
package import PoolCore
package import PoolModel
import PoolSystem
import Synchronization

/// The one way into a pool: submits, changes, cancels and observes operations.
///
/// It has the machine that decides, behind a lock that is held for one question or one event, and
/// a thread that performs the machine's effects. The thread exists while there is a fleet:
/// ``run(for:)`` starts it, and it ends when the last fleet is gone. No other module names the
/// machine; `Scripts/floors` checks that of the command.
package final class PoolEngine: Sendable {
  /// What the lock guards.
  struct Shared: ~Copyable {
    var machine: PoolMachine
    var kinds = KindNames()
    var categories: [String: Category] = [:]
    /// How the workers of worker configurations are started that the loop does not know yet.
    var newPrograms: [ConfigurationID: PoolWorkerConfiguration] = [:]
    /// How the loop waits, and is woken.
    var wakeUps = WakeUps()
    /// How many effects the loop has taken from the machine.
    var takenEffectCount = 0

    /// The number of the next effect, counted from 0: all that came before is decided already.
    var nextEffect: Int { takenEffectCount + machine.effects.count }
  }

  /// A category of mutual exclusion, and how many operations name it.
  struct Category {
    var resource: ResourceID
    var userCount = 0
  }

  /// What other threads tell the loop.
  enum Notice: Sendable {
    case started(WorkerID, StartedWorker)
    case failed(WorkerID, SpawnObstacle)
    case ended(WorkerID, PoolExitStatus)
    case prepared(OperationID, UInt64, Preparation)
    /// The client takes remarks again.
    case takesRemarks
    /// An operation could not be sent to its worker: why.
    case unsendable(WorkerID, DispatchReference, String)
    /// An in-process worker takes operations.
    case greeted(WorkerID)
    /// An in-process worker has answered.
    case answered(WorkerID, DispatchReference, PoolEnding, AttemptReport)
  }

  let shared: YieldingLock<Shared>
  /// What other threads have to tell the loop.
  let notices = HandoverList<Notice>()
  /// Operations that nothing can ask for any more, and that the machine does not know of yet.
  let released = HandoverList<Released>()
  /// Faults that are made on purpose, if any are.
  let chaos: Chaos?
  /// The number of the effect that the loop performs; see ``Shared/nextEffect``.
  let currentEffect = Atomic(0)
  /// The clock, worker processes, and what else the system does for the engine.
  let world: World
  private let epoch: Int64
  /// Nanoseconds that this process was stopped for.
  private let stopped = Atomic<Int64>(0)

  /// Makes a coordinator with no fleet, whose client is told of each start, or of those of what is
  /// observed.
  package convenience init(
    policy: PoolPolicy = PoolPolicy(),
    chaos: Chaos? = nil,
    tellsEveryStart: Bool = true
  ) {
    self.init(policy: policy, chaos: chaos, tellsEveryStart: tellsEveryStart, world: .system)
  }

  /// The same, in a world of the test's choice.
  init(policy: PoolPolicy, chaos: Chaos? = nil, tellsEveryStart: Bool = true, world: World) {
    self.chaos = chaos
    self.world = world
    epoch = world.now()
    shared = YieldingLock(
      Shared(machine: PoolMachine(policy: policy, tellsEveryStart: tellsEveryStart))
    )
  }

  /// The time of the coordinator's life, without what it spent stopped: no timeout and no grace
  /// runs while nobody can do anything.
  package var now: Instant {
    Instant(nanoseconds: world.now() - epoch - stopped.load(ordering: .relaxed))
  }

  /// Stops this process, and returns when somebody has continued it.
  func stopProcess() {
    let start = world.now()
    world.stopProcess()
    stopped.add(world.now() - start, ordering: .relaxed)
  }

  /// Starts the thread unless there is one; the client is kept until it has ended.
  package func run(for client: any CoordinatorClient) throws {
    defer { forgetReleased() }
    guard let (wakePipe, spawner) = try beginLoop() else { return }
    // A full mask: signals go to other threads, and a write to a dead worker only fails.
    do throws(SystemFailure) {
      let thread = try SystemThread.start(name: "opool", mask: .full) {
        var loop = EventLoop(self, client, spawner, wakePipe)
        loop.run()
      }
      thread.detach()
    } catch {
      spawner.close(isStuck: false)
      endLoop()
      throw error
    }
  }

  /// Makes what an event loop needs; nil where there is a loop already.
  func beginLoop() throws -> (wakePipe: WakePipe, spawner: any WorkerSpawner)? {
    let wakePipe = try WakePipe()
    let isFirst = Deputy.execute { shared.withLock { $0.wakeUps.beginLoop(wakePipe) } }
    guard isFirst else { return nil }
    do {
      return (wakePipe, try world.makeSpawner())
    } catch {
      endLoop()
      throw error
    }
  }

  private func endLoop() {
    Deputy.execute { shared.withLock { $0.wakeUps.endLoop() } }
  }

  /// Changes what the lock guards, and wakes the loop.
  ///
  /// What may be many, and mostly leaves the loop nothing to do, wakes it only if it wants to know:
  /// as a dependency, or an operation that has to wait. A turn for each would cost ten times as
  /// much.
  func update<Value, Failure: Error>(
    ifWanted: Bool = false,
    _ body: (inout Shared, Instant) throws(Failure) -> sending Value
  ) throws(Failure) -> sending Value {
    let now = now
    var sleeper: WakePipe?
    defer {
      sleeper?.wake()
      forgetReleased()
    }
    return try Deputy.execute { () throws(Failure) in
      try shared.withLock { shared throws(Failure) in
        defer {
          if !ifWanted || shared.machine.wantsTurn { sleeper = shared.wakeUps.wake() }
        }
        return try body(&shared, now)
      }
    }
  }

  /// Reads what the lock guards.
  func read<Value>(_ body: (borrowing Shared) -> sending Value) -> sending Value {
    defer { forgetReleased() }
    return Deputy.execute { shared.withLock { body($0) } }
  }

  /// The number of a kind, which is declared where it is new.
  package func kind(_ name: String) -> KindID {
    update { shared, _ in shared.kind(name) }
  }

  /// Tells the loop what happened elsewhere; where there is none any more, nobody needs to know.
  func post(_ notice: Notice) {
    update { shared, _ in
      if shared.wakeUps.hasLoop { notices.append(notice) }
    }
  }

  /// Workers that were not read because the client took no remarks are read again.
  package func readAgain() {
    post(.takesRemarks)
  }

  /// The loop may end: returns whether nothing is left that needs it, and then it must.
  func endLoopIfIdle() -> Bool {
    shared.withLock { shared in
      guard shared.machine.fleetCount == 0, shared.machine.effects.isEmpty, notices.isEmpty else {
        return false
      }
      shared.wakeUps.endLoop()
      return true
    }
  }
}

extension PoolEngine.Shared {
  /// The number of a kind, which is declared where it is new.
  mutating func kind(_ name: String) -> KindID {
    kinds.number(of: name, in: &machine)
  }

  /// The resource of a category, which one more operation names.
  mutating func enter(_ category: String) -> ResourceID {
    var life = categories[category] ?? .init(resource: machine.addResource(capacity: 1))
    life.userCount += 1
    categories[category] = life
    return life.resource
  }

  /// One operation less names a category.
  mutating func leave(_ category: String) {
    guard let life = categories[category] else { return }
    categories[category]?.userCount -= 1
    guard life.userCount == 1 else { return }
    categories[category] = nil
    machine.removeResource(life.resource)
  }
}
