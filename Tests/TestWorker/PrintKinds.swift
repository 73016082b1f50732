import Foundation
import OperationWorker
import PoolTestSupport

/// An operation that prints.
struct Say: WorkerOperation {
  static let kind = "say"

  /// How it prints, one after the other.
  var deeds: [PrintDeed]

  func main(_ context: WorkerContext) throws -> Int32 {
    for deed in deeds { try perform(deed, context) }
    return getpid()
  }

  private func perform(_ deed: PrintDeed, _ context: WorkerContext) throws {
    switch deed {
    case .print(let text): print(text, terminator: "")
    case .write(let text): FileHandle.standardError.write(Data(text.utf8))
    case .lines(let count): for number in 0..<count { print("line \(number)") }
    case .longLine(let count): print(String(repeating: "x", count: count))
    case .bytes(let bytes): FileHandle.standardOutput.write(Data(bytes))
    case .leave(let path):
      let child = Process()
      child.executableURL = URL(filePath: "/bin/cat")
      child.arguments = [path]
      try child.run()
    case .wait:
      while !context.isCancelled { usleep(1_000) }
      throw WorkerCancellation()
    case .fatal(let reason): fatalError(reason)
    case .kill: Foundation.kill(getpid(), SIGKILL)
    }
  }
}

/// An operation that prints, is suspended, and prints again.
struct AsyncSay: AsyncWorkerOperation {
  static let kind = "asyncSay"
  var words: [String]

  func main(_ context: WorkerContext) async -> NoOutput {
    for word in words {
      print(word, terminator: "")
      await Task.yield()
    }
    return NoOutput()
  }
}
