import PoolAnalysis
import PoolModel
import PoolSystem
import PoolWire

/// How many operations were ready, executing and ended, over the time of a run.
struct TraceCounters {
  /// What changes at a moment.
  private enum Value: Int {
    case executing, ready, succeeded, unsuccessful
  }

  /// A change of a counter by one.
  private struct Change {
    var time: Int
    var value: Value
    var difference: Int
  }

  private var changes: [Change] = []

  /// Gathers what has changed; O(*n* log *n*).
  init(_ history: RunHistory, _ ready: [Instant?]) {
    for (place, operation) in history.operations.enumerated() {
      var free = ready[place]
      for attempt in operation.attempts {
        let end = attempt.finished ?? operation.settled ?? history.end
        if let free { add(.ready, from: free, to: attempt.started) }
        add(.executing, from: attempt.started, to: end)
        free = attempt.retry?.due ?? end
      }
      if operation.attempts.isEmpty, let free {
        add(.ready, from: free, to: operation.settled ?? history.end)
      }
      guard let ending = operation.ending, let time = operation.settled else { continue }
      let value = ending == .succeeded ? Value.succeeded : .unsuccessful
      changes.append(Change(time: TraceTime.micro(time), value: value, difference: 1))
    }
    changes.sort { $0.time < $1.time }
  }

  private mutating func add(_ value: Value, from start: Instant, to end: Instant) {
    let (start, end) = (TraceTime.micro(start), TraceTime.micro(end))
    guard start < end else { return }
    changes.append(Change(time: start, value: value, difference: 1))
    changes.append(Change(time: end, value: value, difference: -1))
  }

  /// Appends the counters wherever they change.
  func append(to writer: inout TraceWriter) throws(SystemFailure) {
    var counts = [0, 0, 0, 0]
    var last = counts
    var index = 0
    while index < changes.count {
      let time = changes[index].time
      while index < changes.count, changes[index].time == time {
        counts[changes[index].value.rawValue] += changes[index].difference
        index += 1
      }
      if counts[..<2] != last[..<2] {
        try writer.counter("operations", at: time) {
          $0.field("executing", counts[Value.executing.rawValue])
          $0.field("ready", counts[Value.ready.rawValue])
        }
      }
      if counts[2...] != last[2...] {
        try writer.counter("ended", at: time) {
          $0.field("succeeded", counts[Value.succeeded.rawValue])
          $0.field("unsuccessful", counts[Value.unsuccessful.rawValue])
        }
      }
      last = counts
    }
  }
}
