import Foundation
import OperationWorker

/// Uses what it is told to.
struct Use: WorkerOperation {
  static let kind = "use"
  var milliseconds: Int
  var megabytes: Int
  var usesChild: Bool
  var resultBytes: Int
  var isToFail: Bool

  func main(_ context: WorkerContext) throws -> String {
    while Self.processorTime < Double(milliseconds) / 1_000 + start {}
    fill(megabytes << 20)
    if usesChild { try useChild() }
    if isToFail { throw Fail.Refusal(description: "told to fail") }
    return String(repeating: "x", count: resultBytes)
  }

  private let start = processorTime

  private enum CodingKeys: String, CodingKey {
    case milliseconds, megabytes, usesChild, resultBytes, isToFail
  }

  private static var processorTime: Double { Double(clock()) / Double(CLOCKS_PER_SEC) }

  /// Uses memory and gives it back to the system.
  private func fill(_ count: Int) {
    let flags = MAP_PRIVATE | MAP_ANONYMOUS
    guard count > 0, let memory = mmap(nil, count, PROT_READ | PROT_WRITE, flags, -1, 0),
      memory != MAP_FAILED
    else { return }
    memset(memory, 1, count)
    munmap(memory, count)
  }

  private func useChild() throws {
    let child = Process()
    child.executableURL = URL(fileURLWithPath: "/bin/sh")
    child.arguments = ["-c", "ulimit -t 1; while :; do :; done"]
    try child.run()
    child.waitUntilExit()
  }
}
