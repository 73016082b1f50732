import OperationPool
import PoolInputs
import PoolModel
import PoolSystem

/// `opool doctor HOST`: the report of another machine, made there.
enum HostDoctor {
  /// What ssh exits with where it has no connection.
  private static let unreachable: Int32 = 255

  /// Has the host print its report to this process's output; the exit code is that of the report.
  static func run(_ login: SSHLogin, printsJSON: Bool) throws(RunFailure) -> ExitCode {
    let line = login.line(executing: "opool", with: "doctor" + (printsJSON ? " --json" : ""))
    var launcher = CommandLauncher()
    do {
      let words = ["/bin/sh", "-c", "exec " + line].map { Array($0.utf8) }
      let process = try launcher.start(
        CommandDescription(arguments: words, environment: .current, leadsGroup: false)
      )
      process.waitForEnd()
      let (status, _) = try process.reap()
      guard status != .exited(unreachable) else {
        throw RunFailure(.workers, "ssh does not reach \(login.host) without a password")
      }
      return status == .exited(0) ? .success : .workers
    } catch let failure as RunFailure {
      throw failure
    } catch {
      throw RunFailure(.workers, "ssh cannot be started: \(error)")
    }
  }
}
