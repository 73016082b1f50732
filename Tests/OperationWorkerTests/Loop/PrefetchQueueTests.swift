import PoolModel
import PoolTestSupport
import PoolWire
import Testing

@testable import OperationWorker

/// What waits in a worker keeps its order, whatever is added to it or taken out of it.
@Suite("Prefetched operations")
struct PrefetchQueueTests {
  @Test("They are as a list to which is appended, and from whose beginning is taken")
  func list() {
    for seed in 0..<300 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      var (queue, list) = (PrefetchQueue(), [Execute]())
      var number: UInt64 = 0
      for _ in 0..<60 {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
          var more = (0..<UInt64.random(in: 0..<9, using: &generator)).map {
            Execute.numbered(number + $0)
          }
          number += UInt64(more.count)
          list += more
          queue.append(&more)
          #expect(more.isEmpty)
        case 1:
          let reference = DispatchReference.numbered(.random(in: 0...number, using: &generator))
          let index = list.firstIndex { $0.reference == reference }
          if let index { list.remove(at: index) }
          #expect(queue.remove(reference) == (index != nil), "seed \(seed)")
        default:
          #expect(queue.popFirst() == (list.isEmpty ? nil : list.removeFirst()), "seed \(seed)")
        }
        #expect(queue.count == list.count && queue.isEmpty == list.isEmpty, "seed \(seed)")
      }
    }
  }
}
