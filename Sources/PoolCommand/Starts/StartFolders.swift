import PoolModel
import PoolSystem

/// Checks and uses the folders that the user names: `--wd` and `--tmpdir`.
enum StartFolders {
  /// Throws if commands could not execute in a folder, or temporary files not be made there.
  static func prepare(_ options: SharedOptions) throws(WorkloadRun.RunFailure) {
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

  /// Commands may execute elsewhere.
  private static func absolute(_ folder: [UInt8]) -> [UInt8] {
    FileCheck.path(folder, from: CurrentProcess.folder)
  }

  private static func failure(
    _ option: String,
    _ folder: [UInt8],
    _ reason: String
  ) -> WorkloadRun.RunFailure {
    WorkloadRun.RunFailure(.usage, "\(option): \(Printable.text(folder)): \(reason)")
  }
}
