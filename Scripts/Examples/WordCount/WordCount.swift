// Counts the lines, words and bytes of text files, several files at a time.
//
//     swift run example-word-count README.md LICENSE
//
// Results come in the order of the files. A file that cannot be read is a line on standard error
// and an exit code, and holds up no other.

import Foundation
import OperationPool
import OperationWorker

/// Counts what is in one file.
struct CountWords: WorkerOperation {
  static let kind = "count-words"
  var path: String

  /// What `wc` prints.
  struct Counts: Codable, Sendable {
    var lines = 0
    var words = 0
    var bytes = 0
  }

  func main(_ context: WorkerContext) throws -> Counts {
    let bytes = try Data(contentsOf: URL(filePath: path))
    var counts = Counts(bytes: bytes.count)
    var isInWord = false
    for byte in bytes {
      let isSpace = byte == 0x20 || (0x09...0x0D).contains(byte)
      if byte == 0x0A { counts.lines += 1 }
      if !isSpace && !isInWord { counts.words += 1 }
      isInWord = !isSpace
    }
    return counts
  }
}

@main
struct WordCount {
  static func main() async throws {
    if try PoolWorker.serveIfSpawned(.operation(CountWords.self)) { return }

    let paths = Array(CommandLine.arguments.dropFirst())
    let queue = try PoolOperationQueue(workers: .thisExecutable())
    var areAllRead = true
    for try await (index, result) in queue.map(paths.map(CountWords.init), order: .input) {
      switch result {
      case .success(let counts): print(counts.lines, counts.words, counts.bytes, paths[index])
      case .failure(let failure):
        FileHandle.standardError.write(Data("\(paths[index]): \(failure)\n".utf8))
        areAllRead = false
      }
    }
    exit(areAllRead ? 0 : 1)
  }
}
