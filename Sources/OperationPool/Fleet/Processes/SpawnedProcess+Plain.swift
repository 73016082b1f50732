import Foundation
import PoolModel
import PoolSystem

// Starts workers like commands, if Foundation's `Process` cannot.

extension SpawnedProcess {
  /// Starts the program that a `Process` describes, without running the `Process`; calls `ended`
  /// once, on a thread of its own, after the program has ended.
  ///
  /// With `isInheriting`, it gets the descriptors that are not close-on-exec, too.
  static func startPlainly(
    _ description: Process,
    inheriting isInheriting: Bool,
    ended: @escaping @Sendable (PoolExitStatus) -> Void
  ) throws -> sending SpawnedProcess {
    let pipes = try StreamPipes()
    var launcher = CommandLauncher()
    var command = command(of: description, on: pipes.theirs)
    command.inheritsDescriptors = isInheriting
    let child = try launcher.start(command)
    note(started: child.identifier)
    do throws(SystemFailure) {
      let thread = try SystemThread.start(name: "opool-waiter", mask: .full) {
        child.waitForEnd()
        let status = try? child.reap().0
        note(reaped: child.identifier)
        ended(status ?? .exited(255))
      }
      thread.detach()
    } catch {
      child.send(.kill)
      child.waitForEnd()
      _ = try? child.reap()
      note(reaped: child.identifier)
      throw error
    }
    return SpawnedProcess(child.identifier, pipes.takeOurs(), child: child)
  }

  private static func command(of process: Process, on pipes: [Int32]) -> CommandDescription {
    var environment = ProcessEnvironment.current
    let own = process.environment ?? [:]
    environment.set(own.map { (Array($0.key.utf8), Array($0.value.utf8)) })
    let program = process.executableURL?.path(percentEncoded: false) ?? ""
    let arguments = [program] + (process.arguments ?? [])
    return CommandDescription(
      arguments: arguments.map { Array($0.utf8) },
      environment: environment,
      standardInput: pipes[0],
      standardOutput: pipes[1],
      standardError: pipes[2]
    )
  }
}
