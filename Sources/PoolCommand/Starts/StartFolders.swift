import PoolInputs
import PoolModel
import PoolReports
import PoolSystem

/// Checks and uses the folders that the user names: `--wd` and `--tmpdir`.
enum StartFolders {
  /// Throws if commands could not execute in a folder, or temporary files not be made there.
  static func prepare(_ options: SharedOptions) throws(RunFailure) {
    // Workers of other machines have other folders.
    if let folder = options.starts.folder, options.workers.isEmpty {
      let code = FileCheck.enterability(of: folder)
      if code != 0 { throw failure("--wd", folder, SystemFailure.reason(code)) }
    }
    guard let folder = options.starts.temporaryFolder else { return }
    ProcessEnvironment.assign("TMPDIR", absolute(folder))
    do throws(SystemFailure) {
      if let (obstacle, _) = try TemporaryFile.detour() {
        throw obstacle
      }
    } catch {
      throw failure("--tmpdir", folder, error.reason)
    }
  }

  /// The folder that commands execute in, without symbolic links where this machine has it.
  static func commandFolder(_ options: StartOptions) -> [UInt8]? {
    let own = CurrentProcess.folder
    let path = options.folder.map { FileCheck.path($0, from: own) } ?? own
    return path.map { (try? FilePath.resolve($0)) ?? $0 }
  }

  /// Commands may execute elsewhere.
  private static func absolute(_ folder: [UInt8]) -> [UInt8] {
    FileCheck.path(folder, from: CurrentProcess.folder)
  }

  private static func failure(
    _ option: String,
    _ folder: [UInt8],
    _ reason: String
  ) -> RunFailure {
    RunFailure(.usage, "\(option): \(Printable.text(folder)): \(reason)")
  }
}

extension SharedOptions {
  /// The options with the folder that commands execute in, which the journal knows.
  var located: Self {
    var options = self
    options.journal.folder = StartFolders.commandFolder(starts)
    return options
  }
}
