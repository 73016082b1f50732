import Dispatch
package import PoolCore
package import PoolModel
import PoolSystem
import PoolWire
import Synchronization

/// The only entry to a pool: submits, changes, cancels and observes operations.
///
/// It owns the machine, behind a lock that is held for one question or one event, and the thread
/// that performs the machine's effects. The thread exists while there is a fleet: ``run(for:)``
/// starts it, and it ends when the last fleet is gone. No other module names the machine;
/// `Scripts/floors` checks that.
package final class PoolEngine: Sendable {
  /// The state behind the lock.
  struct Shared: ~Copyable {
    var transaction: Transaction
    /// How the loop waits, and how it is woken.
    var wakeUps = WakeUps()
    /// Where turns are taken, and by whom.
    var turns = TurnPlace()
  }

  /// A message from another thread to the loop.
  enum LoopMessage: Sendable {
    case started(WorkerID, StartedWorker)
    case failed(WorkerID, SpawnObstacle)
    case ended(WorkerID, PoolExitStatus)
    /// The process of a worker has greeted as a relay.
    case relayGreeted(WorkerID, Hello)
    /// The worker has ended in whose place a relay was found, which may live.
    case carriedEnded(WorkerID, PoolExitStatus)
    /// A worker that could not be reached has certainly ended, or is not waited for.
    case lapsed(WorkerID)
    case prepared(OperationID, UInt64, Preparation<AttemptReport>)
    /// The client accepts remarks again.
    case readAgain
    /// An operation could not be sent to its worker, for this reason.
    case unsendable(WorkerID, DispatchReference, AttemptReport)
    /// Something to do that no other thread should.
    case perform(@Sendable () -> Void)
    /// A block worker takes operations.
    case greeted(WorkerID)
    /// What an operation has written so far is asked for.
    case tail(Int, TailRequest, TailAnswer)
  }

  let shared: YieldingLock<Shared>
  /// The role of the thread that takes turns.
  let role: TurnPlace.Role
  /// Messages from other threads to the loop.
  let loopMessages = HandoverList<LoopMessage>()
  /// Operations that have no reference left, and that the machine has not yet forgotten.
  let released = HandoverList<Released>()
  /// The products of operations that are inputs of others.
  let inputs = InputStore()
  /// The faults that `--chaos` injects, if any.
  let chaos: Chaos?
  /// The system: clock, worker processes and the rest that the engine needs.
  let system: SystemInterface
  private let clock: EngineClock
  /// Whether the loop's thread could not be started, and is to be started again.
  private let triesAgain = Atomic(false)
  /// Number of starts that have failed since the last one that did not.
  private let failedStarts = Atomic(0)

  /// Makes an engine without a fleet; its client hears of each start, or only of those of observed
  /// operations.
  package convenience init(
    policy: PoolPolicy = PoolPolicy(),
    chaos: Chaos? = nil,
    tellsEveryStart: Bool = true
  ) {
    self.init(policy: policy, chaos: chaos, tellsEveryStart: tellsEveryStart, system: .system)
  }

  /// The same, with another system, for tests.
  init(
    policy: PoolPolicy,
    chaos: Chaos? = nil,
    tellsEveryStart: Bool = true,
    system: SystemInterface
  ) {
    self.chaos = chaos
    self.system = system
    clock = EngineClock(system.now)
    let machine = PoolMachine(policy: policy, tellsEveryStart: tellsEveryStart)
    let turns = TurnPlace()
    role = turns.role
    shared = YieldingLock(Shared(transaction: Transaction(machine), turns: turns))
  }

  /// The time now; another thread may have read a later one, and changed the machine with it.
  package var now: Instant { clock.now }

  /// Stops this process, unless the run was continued meanwhile; returns when the process is
  /// continued.
  func stopProcess() {
    guard update({ $0.machine.supervisor.beginStop() }) else { return }
    let length = clock.pause { system.stopProcess() }
    update { $0.machine.supervisor.pass(stopped: length) }
  }

  /// Starts the loop's thread unless it exists; the thread holds the client until it ends.
  package func run(for client: any EngineClient) throws {
    defer { forgetReleased() }
    guard let (wakePipe, spawner) = try beginLoop(for: client) else { return }
    // A full mask: signals go to other threads, and a write to a dead worker only fails.
    do throws(SystemFailure) {
      let thread = try SystemThread.start(name: "opool", mask: .full) {
        var loop = EventLoop(self, client, spawner, wakePipe)
        loop.run()
      }
      thread.detach()
    } catch {
      spawner.close(isStuck: false)
      endLoop(for: client)
      throw error
    }
  }

  /// Creates the wake pipe and the spawner of an event loop; nil if there is a loop already.
  func beginLoop(
    for client: any EngineClient
  ) throws -> (wakePipe: WakePipe, spawner: any WorkerSpawner)? {
    let wakePipe = try WakePipe()
    let isFirst = NormalPriorityThread.execute {
      shared.withLock { $0.wakeUps.beginLoop(wakePipe) }
    }
    guard isFirst else { return nil }
    do {
      return (wakePipe, try system.makeSpawner())
    } catch {
      endLoop(for: client)
      throw error
    }
  }

  /// A loop was begun and cannot go on.
  ///
  /// Another thread may have added a fleet meanwhile, or left effects, and relies on this loop.
  private func endLoop(for client: any EngineClient) {
    let isNeeded = NormalPriorityThread.execute {
      shared.withLock { shared in
        shared.wakeUps.endLoop()
        return shared.transaction.machine.supervisor.fleetCount > 1
          || !shared.transaction.machine.context.effects.isEmpty
      }
    }
    if isNeeded { runLater(for: client) }
  }

  /// Calls the closure under the lock, and wakes the loop.
  ///
  /// With `ifWanted`, wakes it only if the machine wants a turn, and the calling thread cannot do
  /// what is left to do. That is for frequent changes which mostly leave the loop nothing to do,
  /// such as an added dependency, or an operation that has to wait; a turn for each would cost ten
  /// times as much. If there is no loop but there are effects, starts one for the client.
  func update<Value, Failure: Error>(
    ifWanted: Bool = false,
    for client: (any EngineClient)? = nil,
    _ body: (inout Transaction) throws(Failure) -> sending Value
  ) throws(Failure) -> sending Value {
    let now = now
    var sleeper: WakePipe?
    var lacksLoop = false
    var turn: Turn?
    // Asked here, because another thread makes the change for a lowered one.
    let mayTake = ifWanted && !ThreadPriority.isLowered
    defer {
      sleeper?.wake()
      if let turn { dispatchAdded(turn) }
      forgetReleased()
      if lacksLoop, let client { runSoon(for: client) }
    }
    return try NormalPriorityThread.execute { () throws(Failure) in
      try shared.withLock { shared throws(Failure) in
        shared.transaction.advance(to: now)
        let deadline = shared.transaction.machine.nextDeadline
        defer {
          if ifWanted {
            (turn, sleeper) = turnForAdded(&shared, since: deadline, mayTake: mayTake)
          } else {
            sleeper = shared.wakeUps.wake()
          }
          lacksLoop = !shared.wakeUps.hasLoop && !shared.transaction.machine.context.effects.isEmpty
        }
        return try body(&shared.transaction)
      }
    }
  }

  /// Starts the loop's thread; as long as the system has no room for it, tries again, and says so
  /// after a second.
  ///
  /// The callers cannot fail: they cancel, or read a state. But operations wait for the effects.
  private func runSoon(for client: any EngineClient) {
    do {
      try run(for: client)
      failedStarts.store(0, ordering: .relaxed)
    } catch {
      if failedStarts.add(1, ordering: .relaxed).newValue == Self.silentStarts {
        system.complain("the pool's thread cannot be started, and is tried again: \(error)")
      }
      runLater(for: client)
    }
  }

  /// Number of starts of the loop that may fail in turn before people are told: 10, in a second.
  private static let silentStarts = 10

  /// Starts the loop's thread a little later.
  private func runLater(for client: any EngineClient) {
    guard !triesAgain.exchange(true, ordering: .relaxed) else { return }
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(100)) { [self] in
      triesAgain.store(false, ordering: .relaxed)
      runSoon(for: client)
    }
  }

  /// Calls the closure under the lock, without changes.
  func read<Value>(_ body: (borrowing Transaction) -> sending Value) -> sending Value {
    defer { forgetReleased() }
    return NormalPriorityThread.execute { shared.withLock { body($0.transaction) } }
  }

  /// The number of a kind; a new kind is declared.
  package func kind(_ kind: ConstrainedKind) -> KindID {
    update { $0.kind(kind) }
  }

  /// Sends a message to the loop; drops it if there is no loop.
  func post(_ message: LoopMessage) {
    let sleeper: WakePipe? = NormalPriorityThread.execute {
      shared.withLock { shared in
        guard shared.wakeUps.hasLoop else { return nil }
        loopMessages.append(message)
        return shared.wakeUps.wake()
      }
    }
    sleeper?.wake()
    forgetReleased()
  }

  /// The client accepts remarks again: workers that were not read for that reason are read again.
  package func readAgain() {
    post(.readAgain)
  }

  /// Makes the loop take a turn: what its client answers has changed.
  package func takeTurn() { update { _ in } }

  /// Decides whether the loop ends: true if nothing needs it; then it must end.
  func endLoopIfIdle() -> Bool {
    shared.withLock { shared in
      let isIdle =
        shared.transaction.machine.supervisor.fleetCount == 0
        && shared.transaction.machine.context.effects.isEmpty
      guard isIdle, loopMessages.isEmpty, shared.turns.close() else { return false }
      shared.wakeUps.endLoop()
      return true
    }
  }
}
