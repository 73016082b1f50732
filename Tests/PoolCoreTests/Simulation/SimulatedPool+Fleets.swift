import PoolModel
import PoolTestSupport

@testable import PoolCore

// Fleets and queues come and go.

extension SimulatedPool {
  /// A fleet of processes that serve two kinds, and of blocks, which are the third; nobody serves
  /// the fourth.
  mutating func addFleet() {
    let id = machine.addFleet()
    fleets.append(SimulatedFleet(id: id))
    let processes = [kinds[0], kinds[1]]
    addConfiguration(
      ConfigurationSpec(count: number(1...3), kinds: chance(500) ? processes : nil),
      processes
    )
    if chance(300) { addConfiguration(ConfigurationSpec(count: 1, kinds: [kinds[0]]), [kinds[0]]) }
    if chance(200) {
      addConfiguration(ConfigurationSpec(count: 1, kinds: processes, isReserve: true), processes)
    }
    var blocks = ConfigurationSpec(count: 2, kinds: [kinds[2]])
    blocks.executesBlocks = true
    addConfiguration(blocks, [kinds[2]])
    for _ in 0..<number(1...2) { addQueue() }
  }

  /// Gives the latest fleet a worker configuration.
  private mutating func addConfiguration(_ spec: ConfigurationSpec, _ kinds: [KindID]) {
    let fleet = fleets.count - 1
    var spec = spec
    spec.isFar = !spec.executesBlocks && chance(faults.links)
    if spec.isFar, chance(600) { spec.lease = LeaseTerms(length: 0) }
    if !spec.executesBlocks, chance(300) {
      spec.recycling = Recycling(
        operations: chance(500) ? number(1...4) : nil,
        age: chance(300) ? .milliseconds(number(0...20)) : nil,
        memory: chance(300) ? 1_000 : nil
      )
    }
    let id = machine.addConfiguration(spec, to: fleets[fleet].id)
    if configurations[id] != nil {
      problems.append("worker configuration \(id) is two worker configurations")
    }
    if !spec.executesBlocks { fleets[fleet].places += spec.count }
    configurations[id] = SimulatedConfiguration(
      fleet: fleet,
      kinds: kinds,
      executesBlocks: spec.executesBlocks,
      count: spec.count
    )
    configurations[id]?.operationLimit = spec.recycling.operations ?? .max
    configurations[id]?.mayBeLeased = spec.lease != nil
  }

  /// Gives the latest fleet a queue.
  private mutating func addQueue() {
    let fleet = fleets.count - 1
    let id = machine.addQueue(to: fleets[fleet].id)
    if queues.contains(where: { $0.id == id && !isForgotten($0) }) {
      problems.append("queue \(id) is two queues")
    }
    queues.append(SimulatedQueue(id: id, fleet: fleet))
  }

  /// Whether a queue's number may name another one.
  private func isForgotten(_ queue: SimulatedQueue) -> Bool {
    guard queue.isDropped, let index = queues.firstIndex(where: { $0.isSame(as: queue) }) else {
      return false
    }
    return !operations.contains { $0.queue == index && $0.ending == nil }
  }

  /// Lets a worker configuration have fewer workers, none, or as many as before.
  private mutating func limitWorkers() {
    let known = configurations.filter { !$0.value.executesBlocks }
      .sorted { $0.key.rawValue < $1.key.rawValue }
    guard let (id, configuration) = known.randomElement(using: &generator) else { return }
    machine.limitWorkers(of: id, to: number(0...configuration.count), at: now)
  }

  /// Limits workers, makes a fleet, drops a queue, or closes a fleet whose queues were dropped and
  /// are empty.
  mutating func reorganise() {
    guard chance(400) else { return }
    if chance(300) { return limitWorkers() }
    if fleets.count < 6, chance(400) { return addFleet() }
    let usable = queues.indices.filter { !queues[$0].isDropped }
    if usable.count > 1, chance(500), let queue = usable.randomElement(using: &generator) {
      // No call can resume it any more.
      open(queue)
      return drop(queue)
    }
    let idle = fleets.indices.filter { fleet in
      !fleets[fleet].isClosing
        && queues.indices.allSatisfy { queue in
          queues[queue].fleet != fleet
            || queues[queue].isDropped
              && !operations.contains { $0.queue == queue && $0.ending == nil }
        }
    }
    if let fleet = idle.randomElement(using: &generator) { close(fleet) }
  }

  mutating func drop(_ queue: Int) {
    guard !queues[queue].isDropped else { return }
    queues[queue].isDropped = true
    machine.change(.dropQueue(queues[queue].id), at: now)
  }

  mutating func close(_ fleet: Int) {
    guard !fleets[fleet].isClosing else { return }
    fleets[fleet].isClosing = true
    machine.supervise(.closeFleet(fleets[fleet].id), at: now)
  }

  private mutating func open(_ queue: Int) {
    queues[queue].isSuspended = false
    queues[queue].width = max(queues[queue].width, 1)
    machine.change(.width(queues[queue].width, of: queues[queue].id))
    machine.change(.suspended(false, queues[queue].id))
  }

  /// Takes back all that holds anything up; whatever was made is added, or ends outside.
  mutating func lift() {
    if queues.allSatisfy(\.isDropped) { addFleet() }
    for (id, configuration) in configurations.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      machine.limitWorkers(of: id, to: configuration.count, at: now)
    }
    for queue in queues.indices where !queues[queue].isDropped { open(queue) }
    for index in resources.indices {
      resources[index].capacity = max(resources[index].capacity, 1)
      machine.change(.capacity(resources[index].capacity, of: resources[index].id))
    }
    step()
    for index in operations.indices {
      while operations[index].gateCount > 0 {
        operations[index].gateCount -= 1
        machine.change(.openGate(operations[index].id), at: now)
      }
      step()
    }
    guard let queue = queues.firstIndex(where: { !$0.isDropped }) else { return }
    for index in operations.indices
    where operations[index].isCreated && operations[index].group == nil {
      add([index], to: queue)
      if operations[index].queue == nil { end(index, as: .succeeded) }
      step()
    }
  }
}

extension SimulatedQueue {
  fileprivate func isSame(as other: Self) -> Bool {
    id == other.id && fleet == other.fleet
  }
}
