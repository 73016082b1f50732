import Foundation
import PoolModel
import PoolSystem
import PoolTestSupport

/// A command line under way.
final class RunningOpool {
  let folder: TestFolder
  private let process: CommandProcess
  let marker: String

  /// The number of the command's process.
  var pid: Int32 { process.identifier }

  init(process: CommandProcess, folder: TestFolder, marker: String) {
    self.process = process
    self.folder = folder
    self.marker = marker
  }

  /// Signals the command's process group, as a terminal does.
  func signal(_ signal: ProcessSignal) {
    process.send(signal)
  }

  /// Makes a named pipe that a command of the run opens, too.
  static func makePipe(_ path: String) throws {
    guard mkfifo(path, 0o600) == 0 else { throw SystemFailure.last("mkfifo") }
  }

  /// Waits until a command of the run has opened a named pipe for writing, and reads it to its end.
  func read(pipe name: String) throws -> String {
    let process = process
    let watchdog = Watchdog { process.send(.kill) }
    return try withExtendedLifetime(watchdog) {
      let descriptor = try Descriptors.openFile(path: Array(folder.path(of: name).utf8))
      defer { Descriptors.close(descriptor) }
      return String(decoding: try SystemIO.readAll(descriptor), as: UTF8.self)
    }
  }

  /// Waits for the end.
  func wait() throws -> OpoolRun {
    let process = process
    let watchdog = Watchdog { process.send(.kill) }
    process.waitForEnd()
    let (status, _) = try withExtendedLifetime(watchdog) { try process.reap() }
    return OpoolRun(folder: folder, status: status, marker: marker)
  }
}
