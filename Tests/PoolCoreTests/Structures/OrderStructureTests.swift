import PoolModel
import PoolTestSupport
import Testing

@testable import PoolCore

/// Positions and ready queue: the order of submission is kept, and memory is bounded.
@Suite("Order structures")
struct OrderStructureTests {
  /// All operations that have positions, in order.
  private func handles(_ order: SubmissionOrder) -> [OperationHandle] {
    order.occupants.filter { $0 != SubmissionOrder.vacant }
  }

  @Test("numbering anew keeps the order and closes all gaps")
  func renumbering() {
    var order = SubmissionOrder()
    var positions: [Int: UInt32] = [:]
    for handle in 0..<100 { positions[handle] = order.place(OperationHandle(handle)) }
    for handle in stride(from: 0, to: 100, by: 3) { order.vacate(positions[handle] ?? 0) }
    let living = (0..<100).filter { $0 % 3 != 0 }
    #expect(handles(order).map(\.offset) == living)
    var moves: [(Int, UInt32)] = []
    order.renumber { handle, position in moves.append((handle.offset, position)) }
    #expect(moves.map(\.0) == living)
    #expect(moves.map(\.1) == (0..<UInt32(living.count)).map { $0 })
    #expect(order.count == living.count)
    #expect(order.place(OperationHandle(7_000)) == UInt32(living.count))
    #expect(order.occupant(living.count) == OperationHandle(7_000))
  }

  @Test("positions stay small over a million operations of which few live at once")
  func boundedPositions() {
    var order = SubmissionOrder()
    var living: [UInt32] = Array(repeating: .max, count: 300)
    var largest: UInt32 = 0
    for index in 0..<1_000_000 {
      let handle = index % living.count
      if living[handle] != .max { order.vacate(living[handle]) }
      if order.isWorthRenumbering { order.renumber { living[$0.offset] = $1 } }
      living[handle] = order.place(OperationHandle(handle))
      largest = max(largest, living[handle])
    }
    #expect(order.count == living.count)
    #expect(largest < 4_096)
    // The longest-lived comes first: the slots are in the order of their turns.
    #expect(handles(order).first?.offset == 1_000_000 % living.count)
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
}
