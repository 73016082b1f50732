import Foundation
import PoolModel
import PoolSystem
import PoolTestSupport

/// A named pipe in a folder of its own, by which a test and a command wait for each other.
final class Rendezvous {
  let folder: URL
  private let watchdog: Watchdog

  /// The pipe's path; it needs no quotes in a shell.
  var path: String { folder.appending(path: "pipe").path }

  init() throws {
    let name = "opool-test-\(UUID().uuidString)"
    let folder = FileManager.default.temporaryDirectory.appending(path: name)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    self.folder = folder
    let path = folder.appending(path: "pipe").path
    guard mkfifo(path, 0o600) == 0 else { throw SystemFailure.last("mkfifo") }
    // A side that waits for the other to open the pipe goes on when that happens.
    watchdog = Watchdog {
      for flags in [O_WRONLY, O_RDONLY] {
        let descriptor = open(path, flags | O_NONBLOCK)
        if descriptor >= 0 { close(descriptor) }
      }
    }
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  /// Waits until a command opens the pipe for writing.
  func reader() throws -> FileHandle {
    try FileHandle(forReadingFrom: URL(filePath: path))
  }

  /// Lets a command go on that opened, or will open, the pipe for reading.
  func release() throws {
    try FileHandle(forWritingTo: URL(filePath: path)).close()
  }

  /// The name of the script: that of no program on PATH.
  static let scriptName = "opool-test-script"

  /// Writes a script into the folder and returns its path.
  ///
  /// Another program writes it: a file that this process writes may, for a moment, also be open in
  /// a child that another thread is starting, and then cannot be executed.
  func script(_ text: String, mode: String) throws -> String {
    let draft = folder.appending(path: "draft")
    try Data(text.utf8).write(to: draft)
    let path = folder.appending(path: Self.scriptName).path
    let process = try Programs.start(["install", "-m", mode, draft.path, path])
    process.waitForEnd()
    guard try process.reap().0 == .exited(0) else {
      throw HarnessError(text: "cannot write \(path)")
    }
    return path
  }
}
