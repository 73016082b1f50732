import PoolModel
import PoolTestSupport

@testable import PoolCore

/// Users, fleets and workers that exist only as values: they do at random all that can be done to a
/// machine, and perform its effects in virtual time, badly.
///
/// All randomness is the seed's. Beside the machine stands a small model that knows only what was
/// asked for and what was told; whatever happens is held against it at once.
struct SimulatedPool: ~Copyable {
  /// What may go wrong, as chances of 1,000; and how often users do something.
  struct Faults {
    var death = 0
    var violation = 0
    /// Deaths that are those of links: what was sent may have begun.
    var links = 0
    /// Workers that end because the system has too little of something for what they were to
    /// execute.
    var shortage = 0
    var silence = 0
    var failure = 0
    var stubbornness = 0
    /// Workers that go on executing, for ever and without a word.
    var freezing = 0
    /// How many workers greet at all; all others are silent.
    var greetings = Int.max
    /// The coordinator comes a minute late.
    var absence = 0
    var retries = 2
    var isCancelling = true
  }

  var machine = PoolMachine()
  var problems: [String] = []
  var operations: [SimulatedOperation] = []
  var indices: [OperationID: Int] = [:]
  var workers: [SimulatedWorker] = []
  var fleets: [SimulatedFleet] = []
  var queues: [SimulatedQueue] = []
  var configurations: [ConfigurationID: SimulatedConfiguration] = [:]
  var resources: [(id: ResourceID, capacity: Int)] = []
  var kinds: [KindID] = []
  var now = Instant.zero
  var generator: SeededGenerator
  var effects: [Effect] = []
  /// Workers whose death was held against an operation.
  var blamed: Set<WorkerID> = []
  /// The coordinator has just come late.
  var isLate = false
  /// What contended before the latest dispatch.
  var waitingBefore = ReadyQueue()
  /// How many workers have greeted.
  var greetingCount = 0
  /// How many operations were ever added to a queue.
  var sequence = 0
  let faults: Faults

  init(seed: UInt64, faults: Faults) {
    generator = SeededGenerator(seed: seed)
    self.faults = faults
    machine.dispatcher.overtaking.patience = [1, 2, 16][Int(seed % 3)]
    for _ in 0..<4 { kinds.append(machine.dispatcher.addKind()) }
    for capacity in [1, 1, 2] {
      resources.append((machine.dispatcher.addResource(capacity: capacity), capacity))
    }
    for _ in 0...Int(seed % 2) { addFleet() }
  }

  /// Lets users and workers do what they like, then waits for the end of it all.
  mutating func run(events: Int) {
    for _ in 0..<events where problems.isEmpty {
      if chance(450) { ask() } else { happen() }
      step()
    }
    lift()
    let start = now
    runUntil("the run does not end") { $0.machine.graph.unsettledCount == 0 }
    // However slowly workers die: what has to be waited for of each operation is bounded.
    let limit = Int64.seconds(600).multipliedReportingOverflow(by: Int64(operations.count + 1))
    if problems.isEmpty, start.advanced(by: limit.partialValue) < now {
      problems.append("the run took \(now.seconds - start.seconds) s to end")
    }
    for queue in queues.indices { drop(queue) }
    for fleet in fleets.indices { close(fleet) }
    step()
    runUntil("the workers do not end") { $0.workers.isEmpty }
    checkEnd()
  }

  private mutating func runUntil(_ failure: String, _ isOver: (borrowing Self) -> Bool) {
    var steps = 0
    while !isOver(self), problems.isEmpty {
      steps += 1
      if steps > 20_000 { return problems.append(failure) }
      happen()
      step()
      checkStall()
    }
  }

  /// Ends an event: dispatches, performs the effects, checks everything.
  mutating func step() {
    repeat {
      waitingBefore = machine.dispatcher.contenders
      machine.dispatch(at: now)
      machine.takeEffects(into: &effects)
      for effect in effects { perform(effect) }
    } while !effects.isEmpty
    noteOpenGroups()
    checkOpenGroups()
    isLate = false
    if faults.absence == 0, machine.supervisor.absenceCount > 0 {
      problems.append("nobody was late")
    }
    problems += machine.brokenInvariants()
    checkReadiness()
    checkConservation()
    for index in operations.indices where operations[index].losses > 0 { reviewLosses(of: index) }
  }

  mutating func chance(_ share: Int, of total: Int = 1_000) -> Bool {
    Int.random(in: 0..<total, using: &generator) < share
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &generator)
  }

  /// The index of one of the operations that fit, at random.
  mutating func pick(_ fits: (SimulatedOperation) -> Bool) -> Int? {
    operations.indices.filter { fits(operations[$0]) }.randomElement(using: &generator)
  }
}

/// What was asked for of an operation, and what was told of it.
struct SimulatedOperation {
  let id: OperationID
  let spec: OperationSpec
  /// The queue that it was added to, and its place among all that were ever added.
  var queue: Int?
  var sequence = 0
  var needs: [(id: OperationID, requirement: PoolRequirement)] = []
  var hasLostNeeds = false
  var gateCount = 0
  var isCancelled = false
  var ending: PoolEnding?
  var isReleased = false
  var starts = 0
  /// How often another one took the last unit that it needed, while it was the first of all.
  var losses = 0
  /// Its place in the order of dispatch then.
  var lossKey: ReadyKey?
  /// Workers whose death was held against it.
  var deaths = 0
  /// The preparation that was asked for and not answered.
  var preparation: UInt64?
  var isPrepared = false
  /// The worker that has it.
  var worker: WorkerID?
  /// Whether observers were last told that it is ready; nil where it has no observer.
  var isToldReady: Bool?
  /// Nothing was told of its readiness since it was first observed.
  var isUntold = false

  /// The group that holds it back.
  var group: Int?
  /// Whether it is a group that holds its members back no longer.
  var isOpen = false
  var wasAllowed = false

  /// Whether it can still be told to wait for something.
  var canWait: Bool { ending == nil && worker == nil && !isReleased && !isOpen }
  var isCreated: Bool { queue == nil && ending == nil && !isReleased }
  var isUnsettled: Bool { queue != nil && ending == nil }
}

/// A fleet, as far as users know it.
struct SimulatedFleet {
  let id: FleetID
  var places = 0
  var isClosing = false
}

/// A queue, as far as users know it.
struct SimulatedQueue {
  let id: QueueID
  let fleet: Int
  var width = Int.max
  var isSuspended = false
  var isDropped = false

  var isOpen: Bool { !isSuspended && width > 0 }
}

/// A worker configuration that was not forgotten.
struct SimulatedConfiguration {
  let fleet: Int
  let kinds: [KindID]
  let executesBlocks: Bool
  /// The number of workers that it was declared with.
  let count: Int
  /// How many operations each of its workers is to finish at most.
  var operationLimit = Int.max
  /// Whether its workers may have leases.
  var mayBeLeased = false
}

/// A worker that was asked for and has not ended.
struct SimulatedWorker {
  let id: WorkerID
  let configuration: SimulatedConfiguration
  var hasGreeted = false
  var isSilent = false
  var line: [DispatchReference] = []
  /// How much it has answered.
  var answerCount = 0
  var isExecuting = false
  /// It was asked to stop what it executes, and will, unless it is stubborn.
  var isAsked = false
  /// It was asked whether it is there, and has not answered.
  var isPinged = false
  var answersPings = false
  var isFrozen = false
  /// Whether it stopped in the middle of a frame.
  var isWithinFrame = false
  var isStubborn = false
  /// Whether it starts a process for each operation, and has told the group of the one that
  /// executes.
  var takesSteps = false
  var hasGroup = false
  var isDoomed = false
  /// Whether it ends when its lease is over.
  var isLeased = false
  /// Whether its link has ended, and it may still execute what it has.
  var isOutOfReach = false

  /// Whether it can do anything but die and break the protocol.
  var isAble: Bool { isDoomed || !isFrozen && (!line.isEmpty || !hasGreeted && !isSilent) }
}
