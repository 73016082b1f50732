import PoolCore
import PoolModel
import PoolSystem
import PoolWire
import Synchronization

/// The coordinator's thread: waits for workers and other threads, passes events to the machine, and
/// performs its effects.
///
/// A turn has four parts: wait; hear (descriptors become events, outputs are fetched); decide (the
/// machine gets the events, under the lock); act (effects are performed, then the pipes are
/// written). So the lock is never held during a system call, and each worker gets at most one write
/// in a turn, however much is sent.
struct EventLoop: ~Copyable {
  let engine: PoolEngine
  let client: any EngineClient
  /// What turns work with; other threads use it between the loop's turns.
  let turn: Turn
  let spawner: any WorkerSpawner
  let wakePipe: WakePipe
  let wakeFlag: WakeUps.Flag
  var connections = PeerTable<WorkerConnection>()
  /// Connections of workers that ended in this turn.
  var departed: [WorkerConnection] = []
  /// Whether there are block workers: then other threads take turns, too.
  var sharesTurns = false
  /// The threads on which blocks are executed.
  let threads: ThreadPool
  /// Exits that were reported before the start.
  var earlyExits: [WorkerID: PoolExitStatus] = [:]
  /// Workers that were killed or hung up, and when the loop asks the system about their end.
  var missing: [WorkerID: Int64] = [:]
  /// What is told of the ends of workers that cannot be reached and may still execute.
  var lapsing: [WorkerID: AttemptReport] = [:]
  /// The last death of each worker configuration, to explain why it is given up.
  var lastDeaths: [ConfigurationID: PoolWorkerDeath] = [:]
  /// How many processes the out-of-memory killer has killed.
  var memoryKills: MemoryKills
  /// The program and settings of each worker configuration.
  var programs: [ConfigurationID: PoolWorkerConfiguration] = [:]
  /// The relays of each worker configuration that has some.
  var relays: [ConfigurationID: RelayCarriers] = [:]
  /// The relays that were found in the places of workers, while their processes live.
  var trunks: [WorkerID: RelayCarrier] = [:]
  /// Events that the client handles before the effects of this turn.
  var fleetEvents: [FleetEvent] = []
  /// What workers have logged in this turn of operations that they had answered.
  var lateLogs: [(worker: WorkerID, operation: OperationID, log: Log)] = []
  /// The faults that `--chaos` injects, if any.
  var chaos: Chaos?
  /// Connections that have sent remarks in this turn.
  var remarking: [WorkerConnection] = []
  /// Workers that are not read, because the client accepts no remarks.
  var unread: Set<WorkerID> = []
  /// Workers behind links that may send no more remarks, for the same reason.
  var ungranted: Set<WorkerID> = []
  /// Connections with text that no operation owns yet.
  var undecided: [WorkerConnection] = []
  /// Messages that wait for the client's permission.
  var held = HeldMessages()
  /// Questions about outputs that workers have not answered.
  var tails: [TailQuestion] = []
  /// Connections that have bytes to send.
  var unsent: [WorkerConnection] = []

  /// Workers that the spawner is starting.
  var spawning: [WorkerID: Spawning] = [:]
  /// Whether the loop gave up a start that may still be in progress.
  var hasGivenUpSpawn = false
  var poller = Poller()
  let processors = Processors.available
  /// Decides whether to spin before sleeping.
  var spinPolicy = SpinPolicy()
  /// The messages of other threads in this turn; kept for its memory.
  private var messages: [PoolEngine.LoopMessage] = []
  /// The events of this turn.
  var turnEvents = TurnEvents()
  var ready: [(key: Int, Poller.Readiness)] = []
  let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
  /// A buffer for text of workers, which is read while messages are being read.
  let textBuffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)

  init(
    _ engine: PoolEngine,
    _ client: any EngineClient,
    _ spawner: any WorkerSpawner,
    _ wakePipe: WakePipe
  ) {
    self.engine = engine
    self.client = client
    turn = Turn(client, engine.inputs)
    threads = ThreadPool(onLoop: { engine.performOnLoop($0) })
    self.spawner = spawner
    self.wakePipe = wakePipe
    wakeFlag = engine.shared.withLock { $0.wakeUps.flag }
    chaos = engine.chaos
    memoryKills = MemoryKills(engine.system.memoryKillCount(), at: engine.now)
    poller.watch(wakePipe.descriptor, for: .readable, key: Key.wake)
  }

  deinit {
    buffer.deallocate()
    textBuffer.deallocate()
  }

  /// Takes turns until the last fleet is closed and its last worker gone.
  mutating func run() {
    var decision = TurnDecision(timeout: 0)
    repeat {
      wait(decision)
      decision = takeTurn()
    } while !(decision.mayEnd && engine.endLoopIfIdle())
    end()
  }

  /// One turn; see above.
  mutating func takeTurn() -> TurnDecision {
    let isShared = sharesTurns
    if isShared { engine.beginLoopTurn(turn) }
    receive()
    var decision = decide()
    act()
    holdRemarks()
    if decision.settledLast { turn.becameIdle() }
    if isShared, engine.endLoopTurn() { decision.timeout = 0 }
    if sharesTurns, !isShared { engine.share(turn) }
    engine.forgetReleased()
    return decision
  }

  /// The last worker is gone.
  func end() {
    spawner.close(isStuck: hasGivenUpSpawn)
    threads.close()
    engine.inputs.stop()
    dropTails()
    tell(.stopped)
  }

  private mutating func receive() {
    departed.removeAll(keepingCapacity: true)
    for (key, _) in ready { receive(key) }
    receiveAnswers()
    engine.loopMessages.takeAll(into: &messages)
    for index in messages.indices { receive(messages[index]) }
    // The memory of a flood is not kept.
    messages.removeAll(keepingCapacity: messages.count <= 1_024)
    lookForMissing()
    // After the deaths of this turn, which an older count explains.
    if memoryKills.isDue(at: turn.time) {
      memoryKills.note(engine.system.memoryKillCount(), at: turn.time)
    }
    decideText()
  }

  /// How the next turn begins.
  struct TurnDecision {
    /// Maximum nanoseconds to wait; nil without limit.
    var timeout: Int64?
    /// Whether the loop spins before it sleeps.
    var spins = false
    /// Whether the loop lets answers gather for a moment before it reads them.
    var gathers = false
    /// Whether the last unsettled operation has settled in this turn.
    var settledLast = false
    /// Whether there was no fleet; closing the last one later wakes the loop.
    var mayEnd = false
  }

  /// A worker that is being started, and whether it was retired meanwhile.
  struct Spawning {
    var configuration: ConfigurationID
    var place: WorkerPlace
    var measuresMemory = false
    var isRetired = false
    /// Whether the loop no longer waits for it; a ``PoolEngine/LoopMessage/failed`` follows.
    var isGivenUp = false
  }

  /// Keys of the poller: four for each worker, the first four for others.
  enum Key {
    static let wake = 0
    static func output(_ worker: WorkerID) -> Int { Int(worker.rawValue) * 4 }
    static func input(_ worker: WorkerID) -> Int { Int(worker.rawValue) * 4 + 1 }
    static func error(_ worker: WorkerID) -> Int { Int(worker.rawValue) * 4 + 2 }
    static func worker(of key: Int) -> WorkerID { WorkerID(rawValue: UInt32(key / 4)) }
  }
}
