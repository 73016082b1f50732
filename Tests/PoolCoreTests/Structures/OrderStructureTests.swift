import PoolModel
import PoolTestSupport
import Testing

@testable import PoolCore

/// Positions, ready queue and edges: the order of submission is kept, and memory is bounded.
@Suite("Order structures")
struct OrderStructureTests {
  @Test("numbering anew keeps the order and closes all gaps")
  func renumbering() {
    var order = SubmissionOrder()
    var positions: [Int: UInt32] = [:]
    for slot in 0..<100 { positions[slot] = order.place(slot) }
    for slot in stride(from: 0, to: 100, by: 3) { order.vacate(positions[slot] ?? 0) }
    let living = (0..<100).filter { $0 % 3 != 0 }
    #expect(order.slots == living)
    var moves: [(Int, UInt32)] = []
    order.renumber { slot, position in moves.append((slot, position)) }
    #expect(moves.map(\.0) == living)
    #expect(moves.map(\.1) == (0..<UInt32(living.count)).map { $0 })
    #expect(order.count == living.count)
    #expect(order.place(7_000) == UInt32(living.count))
    #expect(order.occupant(living.count) == 7_000)
  }

  @Test("positions stay small over a million operations of which few live at once")
  func boundedPositions() {
    var order = SubmissionOrder()
    var living: [UInt32] = Array(repeating: .max, count: 300)
    var largest: UInt32 = 0
    for index in 0..<1_000_000 {
      let slot = index % living.count
      if living[slot] != .max { order.vacate(living[slot]) }
      if order.isWorthRenumbering { order.renumber { living[$0] = $1 } }
      living[slot] = order.place(slot)
      largest = max(largest, living[slot])
    }
    #expect(order.count == living.count)
    #expect(largest < 4_096)
    // The longest-lived comes first: the slots are in the order of their turns.
    #expect(order.slots.first == 1_000_000 % living.count)
  }

  @Test("random keys leave the ready queue by level, then by position", arguments: 0..<20)
  func readyQueue(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var queue = ReadyQueue()
    var model: [ReadyKey] = []
    for position in 0..<500 {
      let key = ReadyKey(level: Int.random(in: 0..<5, using: &generator), position: position)
      queue.insert(key)
      model.append(key)
      if let index = model.indices.randomElement(using: &generator), position % 3 == 0 {
        queue.remove(model.remove(at: index))
      }
    }
    #expect(queue.count == model.count)
    for key in model.sorted() {
      #expect(queue.first == key, "seed \(seed)")
      #expect(queue.contains(key))
      queue.remove(key)
      #expect(!queue.contains(key))
    }
    #expect(queue.first == nil)
    queue.insert(ReadyKey(level: 2, position: 9))
    queue.removeAll()
    #expect(queue.first == nil)
    #expect(queue.count == 0)
  }

  @Test("dependents come back in the order in which they were linked, however lists interleave")
  func interleavedLists() {
    var graph = DependencyGraph()
    var tails = Array(repeating: DependencyGraph.none, count: 3)
    for index in 0..<30 {
      let requirement = PoolRequirement.allCases[index % 4]
      graph.append(index, requirement, to: &tails[index % 3])
    }
    #expect(graph.count == 30)
    for list in [1, 0, 2] {
      var seen: [Int] = []
      graph.drain(&tails[list]) { dependent, requirement in
        #expect(requirement == PoolRequirement.allCases[dependent % 4])
        seen.append(dependent)
      }
      #expect(seen == Array(stride(from: list, to: 30, by: 3)))
      #expect(tails[list] == DependencyGraph.none)
      graph.drain(&tails[list]) { _, _ in Issue.record("an empty list has nobody") }
    }
    #expect(graph.count == 0)
  }

  @Test("edges are used again, whole lists at a time")
  func reusedEdges() {
    var graph = DependencyGraph()
    var highest: UInt32 = 0
    for round in 0..<1_000 {
      var tails = [DependencyGraph.none, DependencyGraph.none]
      for index in 0..<10 {
        graph.append(index, .finished, to: &tails[index % 2])
        highest = max(highest, tails[index % 2])
      }
      var seen: [Int] = []
      graph.drain(&tails[round % 2]) { dependent, _ in seen.append(dependent) }
      graph.drain(&tails[1 - round % 2]) { dependent, _ in seen.append(dependent) }
      #expect(seen.sorted() == Array(0..<10))
    }
    #expect(highest < 10)
    #expect(MemoryLayout<DependencyGraph.Edge>.stride == 12)
  }
}
