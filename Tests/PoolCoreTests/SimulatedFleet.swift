import PoolModel
import PoolTestSupport

@testable import PoolCore

/// Workers that exist only as values: they perform the machine's effects in virtual time, badly.
///
/// All randomness is the seed's. Whatever happens is checked at once: the machine's invariants,
/// that nothing is dispatched before its dependencies, and that each operation settles once.
struct SimulatedFleet {
  /// What may go wrong, as chances of 1,000.
  struct Faults {
    var death = 0
    var violation = 0
    var silence = 0
    var failure = 0
    var stubbornness = 0
  }

  private struct Worker {
    var id: WorkerID
    var hasGreeted = false
    var isSilent = false
    var line: [DispatchReference] = []
    var isExecuting = false
    /// It was asked to stop what it executes, and will, unless it is stubborn.
    var isAsked = false
    var isStubborn = false
    var isDoomed = false
  }

  var machine: PoolMachine
  var problems: [String] = []
  private(set) var settlements: [OperationID: Settlement] = [:]
  private(set) var starts: [OperationID: Int] = [:]
  private var generator: SeededGenerator
  private var workers: [Worker] = []
  private var effects: [Effect] = []
  private var now = Instant.zero
  private let faults: Faults
  private let kind: KindID

  /// What each operation requires of others.
  var requirements: [OperationID: [(OperationID, PoolRequirement)]] = [:]

  init(seed: UInt64, workers count: Int, faults: Faults) {
    generator = SeededGenerator(seed: seed)
    self.faults = faults
    machine = PoolMachine()
    kind = machine.addKind()
    _ = machine.addRecipe(RecipeSpec(count: count, kinds: [kind]))
  }

  /// Submits a random graph whose operations depend on earlier ones.
  mutating func submit(_ count: Int, retries: Int) {
    var ids: [OperationID] = []
    for index in 0..<count {
      let priority = PoolQueuePriority.allCases.randomElement(using: &generator) ?? .normal
      let spec = OperationSpec(
        kind: kind,
        priority: priority,
        timeout: chance(100) ? .milliseconds(5) : nil,
        retries: Int.random(in: 0...retries, using: &generator)
      )
      let id = machine.create(spec)
      for _ in 0..<Int.random(in: 0...3, using: &generator) where index > 0 {
        let other = ids[Int.random(in: 0..<index, using: &generator)]
        let requirement = PoolRequirement.allCases.randomElement(using: &generator) ?? .finished
        machine.addDependency(of: id, on: other, requiring: requirement, at: now)
        requirements[id, default: []].append((other, requirement))
      }
      ids.append(id)
    }
    for id in ids { machine.enqueue(id, at: now) }
    step()
  }

  /// Lets things happen until nothing is left, or for far too long.
  mutating func run(cancelling isCancelling: Bool) {
    var steps = 0
    while machine.unsettledCount > 0, problems.isEmpty {
      steps += 1
      if steps > 200_000 { return problems.append("the run does not end") }
      if isCancelling, chance(5) { cancelSomething() }
      happen()
      step()
    }
    machine.close(at: now)
    step()
    while machine.liveWorkerCount > 0, problems.isEmpty {
      steps += 1
      if steps > 200_000 { return problems.append("the workers do not end") }
      happen()
      step()
    }
  }

  /// One random thing that a worker, or time, does.
  private mutating func happen() {
    now = now.advanced(by: Int64.random(in: 0...400_000, using: &generator))
    guard let index = workers.indices.randomElement(using: &generator), !chance(30) else {
      if let deadline = machine.nextDeadline, workers.isEmpty || chance(500) {
        now = max(now, deadline)
      }
      return machine.ring(at: now)
    }
    let id = workers[index].id
    if workers[index].isDoomed || chance(faults.death, of: 1_000) { return die(index) }
    if chance(faults.violation, of: 1_000) { return machine.workerViolated(id, at: now) }
    guard workers[index].hasGreeted else { return greet(index) }
    work(index)
    if chance(300) { machine.workerPaused(id, at: now) }
  }

  private mutating func greet(_ index: Int) {
    if chance(faults.silence, of: 1_000) { workers[index].isSilent = true }
    guard !workers[index].isSilent else { return }
    workers[index].hasGreeted = true
    let abilities =
      chance(200)
      ? WorkerAbilities.minimal : WorkerAbilities(holds: true, returns: true, stops: true)
    expectAccepted(
      machine.workerGreeted(workers[index].id, kinds: [kind], abilities: abilities, at: now)
    )
  }

  private mutating func work(_ index: Int) {
    guard let first = workers[index].line.first else { return }
    let id = workers[index].id
    guard workers[index].isExecuting else {
      workers[index].isExecuting = true
      workers[index].isStubborn = chance(faults.stubbornness, of: 1_000)
      starts[first.operation, default: 0] += 1
      let group: Int32? = chance(200) ? 77 : nil
      return expectAccepted(machine.workerStarted(id, first, group: group, at: now))
    }
    guard !workers[index].isStubborn else { return }
    let ending: PoolEnding =
      workers[index].isAsked ? .cancelled : chance(faults.failure, of: 1_000) ? .failed : .succeeded
    workers[index].line.removeFirst()
    workers[index].isExecuting = false
    workers[index].isAsked = false
    expectAccepted(machine.workerAnswered(id, first, ending, detail: .none, at: now))
    // The same answer once more must change nothing.
    let again = machine.workerAnswered(id, first, ending, detail: .none, at: now)
    if again == .accepted { problems.append("\(first) was accepted twice") }
  }

  private mutating func die(_ index: Int) {
    let worker = workers.remove(at: index)
    machine.workerExited(worker.id, detail: .none, at: now)
  }

  private mutating func cancelSomething() {
    let ids = requirements.keys.sorted { $0.rawValue < $1.rawValue }
    if let id = ids.randomElement(using: &generator) { machine.cancel(id, at: now) }
  }
}

// MARK: - Effects and checks

extension SimulatedFleet {
  /// Ends an event: dispatches, performs the effects, checks everything.
  private mutating func step() {
    repeat {
      machine.dispatch(at: now)
      machine.takeEffects(into: &effects)
      for effect in effects { perform(effect) }
    } while !effects.isEmpty
    problems += machine.brokenInvariants()
    if !machine.isSuspended { checkConservation() }
  }

  private mutating func perform(_ effect: Effect) {
    switch effect {
    case .spawn(let id, _): workers.append(Worker(id: id))
    case .dispatch(let id, let reference, _): take(reference, by: id)
    case .recall(let id, let reference): recall(reference, from: id)
    case .requestCancel(let id, let reference): ask(reference, of: id)
    case .signal(let id, _), .retire(let id): update(id) { $0.isDoomed = true }
    case .settle(let settlement): settle(settlement)
    case .start, .relay, .retry, .killGroup, .announce, .giveUp: break
    }
  }

  private mutating func take(_ reference: DispatchReference, by id: WorkerID) {
    let operation = reference.operation
    for (other, requirement) in requirements[operation] ?? [] {
      guard let ending = settlements[other]?.ending, requirement.isMet(by: ending) else {
        problems.append("\(operation) was dispatched before \(other) allowed it")
        continue
      }
    }
    if settlements[operation] != nil {
      problems.append("\(operation) was dispatched after its end")
    }
    update(id) { $0.line.append(reference) }
  }

  private mutating func recall(_ reference: DispatchReference, from id: WorkerID) {
    guard let index = workers.firstIndex(where: { $0.id == id }),
      let place = workers[index].line.firstIndex(of: reference),
      place > 0 || !workers[index].isExecuting
    else { return }
    workers[index].line.remove(at: place)
    expectAccepted(machine.workerReturned(id, reference, at: now))
  }

  private mutating func ask(_ reference: DispatchReference, of id: WorkerID) {
    guard let index = workers.firstIndex(where: { $0.id == id }),
      let place = workers[index].line.firstIndex(of: reference)
    else { return }
    if place == 0, workers[index].isExecuting {
      workers[index].isAsked = true
      return
    }
    workers[index].line.remove(at: place)
    expectAccepted(machine.workerAnswered(id, reference, .cancelled, detail: .none, at: now))
  }

  private mutating func settle(_ settlement: Settlement) {
    let id = settlement.operation
    if settlements.updateValue(settlement, forKey: id) != nil {
      problems.append("\(id) settled twice")
    }
    if settlement.ending == .succeeded, starts[id] == nil {
      problems.append("\(id) succeeded without having started")
    }
    if settlement.attempt != starts[id] ?? 0 {
      problems.append(
        "\(id) started \(starts[id] ?? 0) times, and \(settlement.attempt) were counted"
      )
    }
  }

  /// No worker is idle while something that it serves is ready.
  private mutating func checkConservation() {
    let hasIdle = machine.workers.living.contains { machine.workers[$0].isIdle }
    if hasIdle, machine.readyCount > 0 { problems.append("a worker is idle while work is ready") }
  }

  private mutating func update(_ id: WorkerID, _ body: (inout Worker) -> Void) {
    guard let index = workers.firstIndex(where: { $0.id == id }) else { return }
    body(&workers[index])
  }

  private mutating func expectAccepted(_ reception: PoolMachine.Reception) {
    if case .violation(let what) = reception { problems.append("taken for a violation: \(what)") }
  }

  private mutating func chance(_ share: Int, of total: Int = 1_000) -> Bool {
    Int.random(in: 0..<total, using: &generator) < share
  }
}
