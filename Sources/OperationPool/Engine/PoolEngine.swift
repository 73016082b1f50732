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
/// machine; `Scripts/floors` checks that.
package final class PoolEngine: Sendable {
  /// What the lock guards.
  struct Shared: ~Copyable {
    var transaction: Transaction
    /// How the loop waits, and is woken.
    var wakeUps = WakeUps()
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
  /// What operations make for others.
  let inputs = InputStore()
  /// Faults that are made on purpose, if any are.
  let chaos: Chaos?
  /// The clock, worker processes, and what else the system does for the engine.
  let system: SystemInterface
  private let epoch: Int64
  /// Nanoseconds that this process was stopped for.
  private let stopped = Atomic<Int64>(0)

  /// Makes an engine with no fleet; its client is told of each start, or of those of observed
  /// operations only.
  package convenience init(
    policy: PoolPolicy = PoolPolicy(),
    chaos: Chaos? = nil,
    tellsEveryStart: Bool = true
  ) {
    self.init(policy: policy, chaos: chaos, tellsEveryStart: tellsEveryStart, system: .system)
  }

  /// The same, on a system of the test's choice.
  init(
    policy: PoolPolicy,
    chaos: Chaos? = nil,
    tellsEveryStart: Bool = true,
    system: SystemInterface
  ) {
    self.chaos = chaos
    self.system = system
    epoch = system.now()
    let machine = PoolMachine(policy: policy, tellsEveryStart: tellsEveryStart)
    shared = YieldingLock(Shared(transaction: Transaction(machine)))
  }

  /// Time since the engine was made, without the time that this process was stopped for: meanwhile
  /// no timeout and no grace runs.
  package var now: Instant {
    Instant(nanoseconds: system.now() - epoch - stopped.load(ordering: .relaxed))
  }

  /// Stops this process, unless it was told to go on meanwhile; returns when it was continued.
  func stopProcess() {
    guard update({ $0.machine.supervisor.beginHalt() }) else { return }
    let start = system.now()
    system.stopProcess()
    stopped.add(system.now() - start, ordering: .relaxed)
  }

  /// Starts the thread unless there is one; the client is kept until it has ended.
  package func run(for client: any EngineClient) throws {
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
    let isFirst = NormalPriorityThread.execute {
      shared.withLock { $0.wakeUps.beginLoop(wakePipe) }
    }
    guard isFirst else { return nil }
    do {
      return (wakePipe, try system.makeSpawner())
    } catch {
      endLoop()
      throw error
    }
  }

  private func endLoop() {
    NormalPriorityThread.execute { shared.withLock { $0.wakeUps.endLoop() } }
  }

  /// Calls the closure under the lock, and wakes the loop.
  ///
  /// What may be many, and mostly leaves the loop nothing to do, wakes it only if it wants to know:
  /// as a dependency, or an operation that has to wait. A turn for each would cost ten times as
  /// much. Where there is no loop, one is started for the client if there are effects.
  func update<Value, Failure: Error>(
    ifWanted: Bool = false,
    for client: (any EngineClient)? = nil,
    _ body: (inout Transaction) throws(Failure) -> sending Value
  ) throws(Failure) -> sending Value {
    let now = now
    var sleeper: WakePipe?
    var lacksLoop = false
    defer {
      sleeper?.wake()
      forgetReleased()
      // Where no thread can be had, the effects wait for the next fleet's.
      if lacksLoop, let client { try? run(for: client) }
    }
    return try NormalPriorityThread.execute { () throws(Failure) in
      try shared.withLock { shared throws(Failure) in
        shared.transaction.now = now
        defer {
          if !ifWanted || shared.transaction.machine.wantsTurn { sleeper = shared.wakeUps.wake() }
          lacksLoop = !shared.wakeUps.hasLoop && !shared.transaction.machine.context.effects.isEmpty
        }
        return try body(&shared.transaction)
      }
    }
  }

  /// Calls the closure under the lock, and changes nothing.
  func read<Value>(_ body: (borrowing Transaction) -> sending Value) -> sending Value {
    defer { forgetReleased() }
    return NormalPriorityThread.execute { shared.withLock { body($0.transaction) } }
  }

  /// The number of a kind, which is declared where it is new.
  package func kind(_ name: String) -> KindID {
    update { $0.kind(name) }
  }

  /// Tells the loop what happened elsewhere; dropped where there is no loop.
  func post(_ notice: Notice) {
    let sleeper: WakePipe? = NormalPriorityThread.execute {
      shared.withLock { shared in
        guard shared.wakeUps.hasLoop else { return nil }
        notices.append(notice)
        return shared.wakeUps.wake()
      }
    }
    sleeper?.wake()
    forgetReleased()
  }

  /// Workers that were not read because the client took no remarks are read again.
  package func readAgain() {
    post(.takesRemarks)
  }

  /// The loop may end: returns whether nothing is left that needs it, and then it must.
  func endLoopIfIdle() -> Bool {
    shared.withLock { shared in
      let isIdle =
        shared.transaction.machine.supervisor.fleetCount == 0
        && shared.transaction.machine.context.effects.isEmpty
      guard isIdle, notices.isEmpty else { return false }
      shared.wakeUps.endLoop()
      return true
    }
  }
}
