// A queue of commands with retries: written with Foundation alone, and written with this package.
//
//     swift run example-migration
//
// Both halves execute the same commands and print the same. Look at what the first half does by
// hand.

import Foundation
import OperationPool
import OperationWorker

/// A command that succeeds in its third attempt in a folder.
let command = ["sh", "-c", "echo >> attempts; test $(wc -l < attempts) -eq 3 && echo done in $PWD"]

// MARK: - With Foundation

/// A process as an operation, executed again where it fails.
///
/// It is `@unchecked Sendable`, as the results are written by one thread and read by another after
/// the end. It cannot be cancelled while its process lives, and has no time limit.
final class ProcessOperation: Operation, @unchecked Sendable {
  private let folder: URL
  private(set) var result: Result<String, any Error> = .failure(CancellationError())

  init(in folder: URL) {
    self.folder = folder
  }

  override func main() {
    for attempt in 1...3 where !isCancelled {
      result = Result { try execute() }
      if case .success = result { return }
      if attempt < 3 { Thread.sleep(forTimeInterval: 0.1) }
    }
  }

  private func execute() throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    process.currentDirectoryURL = folder
    process.standardOutput = output
    try process.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw CommandFailure(status: process.terminationStatus)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

struct CommandFailure: Error {
  var status: Int32
}

func runWithFoundation(_ folders: [URL]) {
  let queue = OperationQueue()
  queue.maxConcurrentOperationCount = 2
  let operations = folders.map(ProcessOperation.init)
  queue.addOperations(operations, waitUntilFinished: true)
  for operation in operations {
    switch operation.result {
    case .success(let text): print(text, terminator: "")
    case .failure(let error): print(error)
    }
  }
}

// MARK: - With this package

func runInPool(_ folders: [URL]) async throws {
  let queue = try PoolOperationQueue(workers: .standard(count: 2))
  let options = PoolOperationOptions(retryPolicy: .retries(2, delay: .milliseconds(100)))
  let operations = folders.map { folder in
    PoolCommandOperation(run: command, directory: folder.path, options: options)
  }
  try queue.addOperations(operations)
  for operation in operations {
    let outcome = try await operation.finished()
    print(
      outcome.failure?.description ?? String(decoding: outcome.standardOutput, as: UTF8.self),
      terminator: ""
    )
  }
}

// MARK: - Both

@main
struct Migration {
  static func main() async throws {
    try await inFolders(runInPool)
    try await inFolders(runWithFoundation)
  }

  /// Gives a function two empty folders, and removes them.
  private static func inFolders(_ body: ([URL]) async throws -> Void) async throws {
    let manager = FileManager.default
    let parent = manager.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? manager.removeItem(at: parent) }
    let folders = ["one", "two"].map { parent.appending(path: $0) }
    for folder in folders {
      try manager.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    try await body(folders)
  }
}
