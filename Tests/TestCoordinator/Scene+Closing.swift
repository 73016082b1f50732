import Foundation
import OperationPool
import PoolTestSupport

extension Scene {
  /// A worker closes all descriptors that it has inherited, and lives on: prints how operations end
  /// whose workers exit meanwhile.
  static func closer() async throws {
    let closing = "for n in /dev/fd/*; do n=${n##*/}; ((n < 3)) || exec {n}>&-; done"
    let worker = Repository.program("test-worker").path(percentEncoded: false)
    let closer = try PoolOperationQueue(
      workers: .executable(
        URL(filePath: "/bin/bash"),
        arguments: ["-c", #"\#(closing); exec "$0""#, worker],
        count: 1
      )
    )
    let first = PoolInvocationOperation(kind: "pid")
    try closer.addOperation(first)
    guard try await first.finished().ending == .succeeded else { return print("no worker") }
    let queue = try PoolOperationQueue(workers: testWorkers(1))
    for _ in 0..<3 {
      let exit = PoolInvocationOperation(kind: "exit", payload: Array("1".utf8))
      try queue.addOperation(exit)
      print(try await exit.finished().ending)
    }
  }
}
