import PoolModel
import PoolTestSupport
import Testing

@testable import PoolCore

/// What an operation costs: a million of them must be nothing special.
@Suite("Memory and reuse of the core")
struct MemoryTests {
  @Test("an operation's life fits into the size that is stated beside it")
  func lifeSize() {
    #expect(MemoryLayout<OperationLife>.stride <= operationLifeSizeLimit)
  }

  @Test("how an operation ended fits into the size that is stated beside it")
  func settlementSize() {
    #expect(MemoryLayout<Settlement>.stride <= settlementSizeLimit)
  }

  private func equip(_ machine: inout PoolMachine) -> (KindID, QueueID) {
    let kind = machine.dispatcher.addKind()
    let fleet = machine.addFleet()
    _ = machine.addConfiguration(ConfigurationSpec(count: 1, kinds: [kind]), to: fleet)
    let queue = machine.addQueue(to: fleet)
    return (kind, queue)
  }

  @Test("100,000 operations with three dependencies each take 220 bytes and 4 for the order")
  func graphSize() {
    var machine = PoolMachine()
    let (kind, queue) = equip(&machine)
    let count = 100_000
    machine.graph.reserve(count)
    var ids: [OperationID] = []
    for index in 0..<count {
      ids.append(machine.create(OperationSpec(kind: kind)))
      for back in [1, 2, 7] where back <= index {
        let other = ids[index - back]
        machine.change(.addDependency(of: ids[index], on: other, requiring: .succeeded), at: .zero)
      }
    }
    machine.enqueue(ids, in: queue, at: .zero)
    #expect(machine.graph.operations.handles.count == count)
    #expect(machine.graph.edges.count == 3 * count - 10)
    #expect(machine.dispatcher.order.count == count)
    #expect(machine.dispatcher.readyCount == 1)
    let bytes =
      MemoryLayout<OperationLife>.stride + MemoryLayout<GraphNode>.stride
      + 3 * MemoryLayout<GraphEdge>.stride
    #expect(bytes <= 220)
    // One cancellation ends all, link by link, without recursion.
    machine.change(.cancel(ids[0]), at: .zero)
    let skipped = machine.context.effects.count {
      if case .settle(let settlement) = $0 { settlement.ending == .skipped } else { false }
    }
    #expect(skipped == count - 1)
    #expect(machine.graph.unsettledCount == 0)
    #expect(machine.graph.edges.count == 0)
    #expect(machine.brokenInvariants() == [])
  }

  @Test("batches of one are as cheap as one batch: the table at least doubles when it grows")
  func smallBatches() {
    var table = OperationTable()
    var moves = 0
    var room = 0
    for _ in 0..<10_000 {
      table.reserve(1)
      if table.capacity != room { moves += 1 }
      room = table.capacity
      _ = table.create(OperationSpec(kind: KindID(rawValue: 0)), claims: .none)
    }
    #expect(moves < 20)
  }

  @Test(
    "positions are numbered anew while operations are prefetched and executing, in the same order"
  )
  func renumberingInFlight() {
    var machine = PoolMachine()
    let (kind, queue) = equip(&machine)
    let worker = WorkerID(rawValue: 1)
    let capabilities = Set<Capability>.full
    let kindQueue = machine.dispatcher.kindQueue(of: kind, in: queue)
    machine.dispatcher.kindQueues[kindQueue].estimate.add(average: 1_000, count: 100)
    var line: [DispatchReference] = []
    var effects: [Effect] = []
    var settled: [OperationID] = []
    var submitted: [OperationID] = []
    func context() {
      machine.dispatch(at: .zero)
      machine.takeEffects(into: &effects)
      for effect in effects {
        if case .dispatch(_, let reference, _) = effect { line.append(reference) }
        if case .settle(let settlement) = effect { settled.append(settlement.operation) }
      }
    }
    for round in 0..<200 {
      for _ in 0..<100 {
        submitted.append(machine.create(OperationSpec(kind: kind)))
        machine.enqueue([submitted[submitted.count - 1]], in: queue, at: .zero)
      }
      context()
      if round == 0 {
        _ = machine.workerGreeted(worker, kinds: [kind], capabilities: capabilities, at: .zero)
        context()
      }
      for reference in line.prefix(90) {
        let reception = machine.workerReported(
          .executing(group: nil),
          reference,
          by: worker,
          at: .zero
        )
        #expect(reception == .accepted)
        _ = machine.workerReported(
          .answered(.succeeded, .error, .none),
          reference,
          by: worker,
          at: .zero
        )
      }
      line.removeFirst(min(90, line.count))
      machine.workerWasRead(worker, at: .zero)
      context()
    }
    #expect(machine.brokenInvariants() == [])
    #expect(settled == Array(submitted.prefix(settled.count)))
    #expect(settled.count == 200 * 90)
  }
}
