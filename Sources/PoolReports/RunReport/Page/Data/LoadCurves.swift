import PoolAnalysis
import PoolModel

/// What happened at once over the time of a run: each value is the mean of a step of equal length.
struct LoadCurves {
  /// Operations that were ready, or waited to be tried again.
  let waiting: [Double]
  /// Attempts.
  let executing: [Double]
  /// Processors that attempts kept busy; nil where no attempt says its processor time.
  let processors: [Double]?

  /// Computes the curves; time is linear in attempts and steps.
  init(_ facts: PageFacts, steps: Int) {
    var (waiting, executing) = (Curve(facts.elapsed, steps), Curve(facts.elapsed, steps))
    var processors = Curve(facts.elapsed, steps)
    var hasProcessors = false
    let operations = facts.history.operations
    for place in operations.indices {
      var free = facts.ready[place]
      let attempts = operations[place].attempts
      for number in attempts.indices {
        let attempt = attempts[number]
        if let free { waiting.add(1, from: free, to: attempt.started) }
        let end = attempt.finished ?? facts.history.end
        executing.add(1, from: attempt.started, to: end)
        free = end
        guard let time = attempt.processorTime, attempt.duration > 0 else { continue }
        hasProcessors = true
        // Workers measure both times, but not at the same moment.
        processors.add(Double(time) / Double(attempt.duration), from: attempt.started, to: end)
      }
      if attempts.isEmpty, let free {
        waiting.add(1, from: free, to: operations[place].settled ?? facts.history.end)
      }
    }
    self.waiting = waiting.values
    self.executing = executing.values
    self.processors = hasProcessors ? processors.values : nil
  }
}

/// A sum of rectangles over time.
private struct Curve {
  private let scale: Double
  private let count: Int
  /// What belongs to a step alone, and what changes from one step to all later ones.
  private var own: [Double]
  private var changes: [Double]

  init(_ elapsed: Int64, _ count: Int) {
    (scale, self.count) = (Double(count) / Double(elapsed), count)
    own = Array(repeating: 0, count: count)
    changes = Array(repeating: 0, count: count + 1)
  }

  mutating func add(_ height: Double, from start: Instant, to end: Instant) {
    let first = min(max(Double(start.nanoseconds) * scale, 0), Double(count))
    let last = min(Double(end.nanoseconds) * scale, Double(count))
    guard first < last else { return }
    let (low, high) = (min(Int(first), count - 1), min(Int(last), count - 1))
    guard low < high else {
      own[low] += height * (last - first)
      return
    }
    own[low] += height * (Double(low + 1) - first)
    own[high] += height * (last - Double(high))
    changes[low + 1] += height
    changes[high] -= height
  }

  var values: [Double] {
    var sum = 0.0
    return (0..<count).map { step in
      sum += changes[step]
      // Sums of many parts are not exact.
      return max(own[step] + sum, 0)
    }
  }
}
