import PoolCore
import PoolModel

/// What a worker will say, and when.
struct Answer {
  var due: Instant
  var worker: WorkerID
  var reference: DispatchReference
}

/// Answers to come, the earliest first; of those of one instant, that of the lowest worker.
struct AnswerQueue {
  private var heap: [Answer] = []

  var first: Answer? { heap.first }

  mutating func insert(_ answer: Answer) {
    var hole = heap.count
    heap.append(answer)
    while hole > 0, Self.isBefore(answer, heap[(hole - 1) / 2]) {
      heap[hole] = heap[(hole - 1) / 2]
      hole = (hole - 1) / 2
    }
    heap[hole] = answer
  }

  mutating func removeFirst() {
    let last = heap.removeLast()
    guard !heap.isEmpty else { return }
    var hole = 0
    while let child = earlierChild(of: hole), Self.isBefore(heap[child], last) {
      heap[hole] = heap[child]
      hole = child
    }
    heap[hole] = last
  }

  private func earlierChild(of parent: Int) -> Int? {
    let left = 2 * parent + 1
    guard left + 1 < heap.count else { return left < heap.count ? left : nil }
    return Self.isBefore(heap[left + 1], heap[left]) ? left + 1 : left
  }

  private static func isBefore(_ left: Answer, _ right: Answer) -> Bool {
    left.due == right.due ? left.worker.rawValue < right.worker.rawValue : left.due < right.due
  }
}
