import Foundation
import OperationPool
import OperationWorker

/// One operation on an idle pool, there and back, beside 64 bytes through pipes between the same
/// two processes.
enum RoundTrip {
  static let kinds: [WorkerKind] = [.raw("pingpong", answerPings)]

  /// Prints microseconds of each round.
  static func measure(count: Int, rounds: Int) async throws {
    let queue = try PoolOperationQueue(workers: .thisExecutable(count: 1))
    _ = try waits(queue, 100)
    for _ in 0..<rounds {
      Figures.sayPercentiles("raw", try pings(queue, count))
      Figures.sayPercentiles("wait", try waits(queue, count))
      Figures.sayPercentiles("await", try await awaits(queue, count))
    }
  }

  private static func waits(_ queue: PoolOperationQueue, _ count: Int) throws -> [Double] {
    try (0..<count).map { _ in
      try microseconds {
        let operation = PoolInvocationOperation(kind: "noop")
        try queue.addOperation(operation)
        try operation.waitUntilFinished()
      }
    }
  }

  private static func awaits(_ queue: PoolOperationQueue, _ count: Int) async throws -> [Double] {
    var all: [Double] = []
    let clock = ContinuousClock()
    for _ in 0..<count {
      let start = clock.now
      let operation = PoolInvocationOperation(kind: "noop")
      try queue.addOperation(operation)
      try await operation.finished()
      all.append((clock.now - start) / .microseconds(1))
    }
    return all
  }

  private static func microseconds(_ body: () throws -> Void) rethrows -> Double {
    try Figures.seconds(body) * 1e6
  }

  // MARK: - Pipes

  /// Pings the worker, which executes one operation meanwhile, through two pipes with names.
  private static func pings(_ queue: PoolOperationQueue, _ count: Int) throws -> [Double] {
    let path = NSTemporaryDirectory() + UUID().uuidString
    let ends = [".there", ".back"].map { path + $0 }
    for end in ends { guard mkfifo(end, 0o600) == 0 else { throw POSIXError(.EIO) } }
    defer { for end in ends { unlink(end) } }
    let operation = PoolInvocationOperation(
      kind: "pingpong",
      payload: Array(try JSONEncoder().encode(path))
    )
    try queue.addOperation(operation)
    let (there, back) = (open(ends[0], O_WRONLY), open(ends[1], O_RDONLY))
    let latencies = (0..<count + 100).map { _ in microseconds { ping(there, back) } }
    close(there)
    try operation.waitUntilFinished()
    close(back)
    return Array(latencies.dropFirst(100))
  }

  private static func ping(_ there: Int32, _ back: Int32) {
    var bytes = [UInt8](repeating: 7, count: 64)
    let isWhole = write(there, bytes, 64) == 64 && read(back, &bytes, 64) == 64
    precondition(isWhole, "64 bytes are never divided in a pipe")
  }

  /// The worker's side: gives back what it reads, until the end.
  private static func answerPings(_ payload: [UInt8], _ context: WorkerContext) throws -> [UInt8] {
    let path = try JSONDecoder().decode(String.self, from: Data(payload))
    let (there, back) = (open(path + ".there", O_RDONLY), open(path + ".back", O_WRONLY))
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(there, &bytes, 64) == 64 { _ = write(back, bytes, 64) }
    close(there)
    close(back)
    return Array("null".utf8)
  }
}
