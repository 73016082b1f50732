import PoolModel
import PoolTestSupport

@testable import PoolAnalysis

/// Histories in which workers execute at random whatever may be executed.
enum RandomHistory {
  /// Some operations, on one to four slots.
  static func make(_ generator: inout SeededGenerator) -> RunHistory {
    let slots = Int.random(in: 1...4, using: &generator)
    var run = RecordedScenario(slots: slots)
    let count = Int.random(in: 1...20, using: &generator)
    let claims = (0..<count).map { _ in Bool.random(using: &generator) ? [("net", 1)] : [] }
    let dependencies = (0..<count).map { index in
      index > 0 && Bool.random(using: &generator)
        ? [Int.random(in: 0..<index, using: &generator)]
        : []
    }
    for index in 0..<count { run.submit(after: dependencies[index], claims: claims[index]) }
    var free = [Double](repeating: 0, count: slots)
    var (netFree, ends) = (0.0, [Double]())
    for index in 0..<count {
      let worker = Int.random(in: 0..<slots, using: &generator)
      var start = max(free[worker], dependencies[index].map { ends[$0] }.max() ?? 0)
      if !claims[index].isEmpty { start = max(start, netFree) }
      var end = start + Double(Int.random(in: 1...9, using: &generator))
      if Int.random(in: 0..<5, using: &generator) == 0 {
        let due = end + Double(Int.random(in: 0...2, using: &generator))
        run.execute(index, on: worker, start...end, .failed, retryAt: due)
        run.execute(index, on: worker, due...due + 1, attempt: 2)
        end = due + 1
      } else {
        run.execute(index, on: worker, start...end)
      }
      (free[worker], netFree) = (end, claims[index].isEmpty ? netFree : end)
      ends.append(end)
    }
    return run.ended(at: (ends.max() ?? 0) + 1)
  }
}
