import PoolModel
import PoolTestSupport
import PoolWire
import Testing

@testable import OperationWorker

/// What waits in a worker keeps its order, whatever is added to it or taken out of it.
@Suite("Held operations")
struct PrefetchedOperationsTests {
  private func operation(_ number: UInt64) -> Execute {
    let reference = DispatchReference(
      operation: OperationID(rawValue: number),
      dispatch: DispatchNumber(rawValue: number)
    )
    return Execute(reference: reference, attempt: 1, kind: "k", payload: [])
  }

  @Test("They are as a list to which is appended, and from whose beginning is taken")
  func list() {
    for seed in 0..<300 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      var (held, list) = (PrefetchedOperations(), [Execute]())
      var number: UInt64 = 0
      for _ in 0..<60 {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
          var more = (0..<UInt64.random(in: 0..<9, using: &generator)).map {
            operation(number + $0)
          }
          number += UInt64(more.count)
          list += more
          held.append(&more)
          #expect(more.isEmpty)
        case 1:
          let reference = operation(UInt64.random(in: 0...number, using: &generator)).reference
          let index = list.firstIndex { $0.reference == reference }
          if let index { list.remove(at: index) }
          #expect(held.remove(reference) == (index != nil), "seed \(seed)")
        default:
          #expect(held.popFirst() == (list.isEmpty ? nil : list.removeFirst()), "seed \(seed)")
        }
        #expect(held.count == list.count && held.isEmpty == list.isEmpty, "seed \(seed)")
      }
    }
  }
}
