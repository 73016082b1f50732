import PoolInputs
import PoolModel
import PoolSystem

extension SharedOptions {
  /// Throws if workers on this machine would not find the shell.
  ///
  /// A relative path depends on the folder of each command, and the user's own workers may be
  /// elsewhere.
  func demandShell() throws(RunFailure) {
    guard let shell, workers.isEmpty else { return }
    let reason: String
    if shell.first == UInt8(ascii: "/") {
      let code = FileCheck.executability(of: shell)
      guard code != 0 else { return }
      reason = SystemFailure(call: "access", code: code).reason
    } else if !shell.contains(UInt8(ascii: "/")) {
      let path = ProcessEnvironment.current.value(of: "PATH")
      var finder = ProgramFinder()
      do throws(SpawnFailure) {
        _ = try finder.find(shell, path: path, directory: starts.folder)
        return
      } catch {
        reason = error.reason
      }
    } else {
      return
    }
    throw RunFailure(.usage, "--shell: \(Printable.text(shell)): \(reason)")
  }
}
