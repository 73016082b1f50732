import Foundation
import PoolSystem

/// Where the programs that workers are started from lie.
enum WorkerPrograms {
  /// The running program; `opool` where nobody knows, so that it is looked for in the current
  /// folder.
  ///
  /// Foundation's bundle ends the process where there is no `/proc`.
  static var thisExecutable: URL {
    URL(filePath: CurrentProcess.executable ?? "opool")
  }

  /// `opool-worker`, beside the running program or on PATH.
  static func standardWorker() throws(PoolError) -> URL {
    let beside = thisExecutable.resolvingSymlinksInPath().deletingLastPathComponent()
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let folders = [beside] + path.split(separator: ":").map { URL(filePath: String($0)) }
    let candidates = folders.map { $0.appending(path: "opool-worker") }
    guard let found = candidates.first(where: isExecutable) else {
      throw PoolError(
        .noWorker,
        "no 'opool-worker' beside '\(thisExecutable.lastPathComponent)' or on PATH"
      )
    }
    return found
  }

  /// Whether a file can be executed; a folder, whose bit means something else, cannot.
  static func isExecutable(_ url: URL) -> Bool {
    let path = url.path(percentEncoded: false)
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && !isFolder.boolValue && FileManager.default.isExecutableFile(atPath: path)
  }
}
