import Dispatch
import Foundation
import OperationPool
import OperationWorker

/// Operations of one kind that sleep for the lengths that are read, in nanoseconds, one a line.
///
/// What is short does not sleep at all, which would take longer. Prints of each when it began and
/// when it ended, in nanoseconds of a clock that all processes share.
enum Mixed {
  static let kinds: [WorkerKind] = [
    .raw("lasts") { payload, _ in
      let start = now
      let end = start + (UInt64(String(decoding: payload, as: UTF8.self)) ?? 0)
      if end - start > 20_000 { sleep(until: end) }
      while now < end {}
      return Array("[\(start),\(now)]".utf8)
    }
  ]

  private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

  /// Sleeps until shortly before: the system lets sleepers sleep some 50 µs longer.
  private static func sleep(until end: UInt64) {
    let margin: UInt64 = 60_000
    while true {
      let current = now
      guard current + margin < end else { return }
      let rest = end - margin - current
      var span = timespec(tv_sec: Int(rest / 1_000_000_000), tv_nsec: Int(rest % 1_000_000_000))
      nanosleep(&span, nil)
    }
  }

  /// Executes them; where a place is given, an urgent operation is added once that one has begun,
  /// so many microseconds later.
  static func measure(workers: Int, urgentAfter place: Int?, microseconds: Int) throws {
    let queue = try PoolOperationQueue(workers: .thisExecutable(count: workers))
    let warm = (0..<(workers * 20)).map { _ in operation("0") }
    try queue.addOperations(warm, waitUntilFinished: true)
    let operations = lengths().map { operation($0) }
    try queue.addOperations(operations)
    var urgent: PoolInvocationOperation?
    if let place {
      while !operations[place].isExecuting && !operations[place].isFinished { usleep(200) }
      usleep(UInt32(microseconds))
      let late = operation("1000")
      late.queuePriority = .veryHigh
      let start = now
      try queue.addOperation(late)
      print("urgent \(start) \(start)")
      urgent = late
    }
    try queue.waitUntilAllOperationsAreFinished()
    for operation in operations { say("operation", operation) }
    if let urgent { say("began", urgent) }
  }

  private static func lengths() -> [String] {
    var lengths: [String] = []
    while let line = readLine() { lengths.append(line) }
    return lengths
  }

  private static func operation(_ length: String) -> PoolInvocationOperation {
    PoolInvocationOperation(kind: "lasts", payload: Array(length.utf8))
  }

  private static func say(_ name: String, _ operation: PoolInvocationOperation) {
    guard let result = operation.outcome?.result else { fatalError("an operation did not succeed") }
    let times = String(decoding: result, as: UTF8.self).dropFirst().dropLast().split(separator: ",")
    print(name, times.joined(separator: " "))
  }
}
