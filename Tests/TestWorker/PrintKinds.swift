import Foundation
import OperationWorker

/// An operation that prints.
struct Say: WorkerOperation {
  static let kind = "say"

  /// How it prints, one after the other.
  enum Deed: Codable, Sendable {
    /// By `print`, without a line feed.
    case print(String)
    /// By a system call.
    case write(String)
    /// So many lines, by `print`.
    case lines(Int)
    /// A line of so many bytes.
    case longLine(Int)
    /// Bytes that may be no text.
    case bytes([UInt8])
    /// By a child that is left behind and prints what it reads from a file.
    case leave(String)
    /// Waits until it is asked to stop.
    case wait
    case fatal(String)
    case kill
  }

  var deeds: [Deed]

  func main(_ context: WorkerContext) throws -> Int32 {
    for deed in deeds { try perform(deed, context) }
    return getpid()
  }

  private func perform(_ deed: Deed, _ context: WorkerContext) throws {
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
