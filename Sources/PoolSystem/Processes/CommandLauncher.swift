import CPoolSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Starts commands, and finds them as a shell would.
package struct CommandLauncher {
  private var finder = ProgramFinder()
  private let changesSignals: Bool
  /// Bits of the signals that may not have their default effect here.
  private lazy var changedSignals = changesSignals ? UInt64.max : opool_changed_signals()

  /// A program that changes no signal's effect after its first command looks the effects up once.
  ///
  /// For others, each command resets every signal. A SIGHUP that is ignored, as by `nohup`, stays
  /// so.
  package init(changesSignals: Bool = true) {
    self.changesSignals = changesSignals
  }

  /// Starts a command; throws an error that names what failed.
  package mutating func start(
    _ command: CommandDescription
  ) throws(SpawnFailure) -> CommandProcess {
    try command.checkZeros()
    let name = command.arguments[0]
    // PATH is needed only for a name without a slash.
    let path = name.contains(UInt8(ascii: "/")) ? nil : command.environment.value(of: "PATH")
    var program = try finder.find(name, path: path, directory: command.directory)
    var result = spawn(command, at: program)
    if case .failure(let failure) = result, failure.code == ENOENT,
      finder.forget(name, path: path)
    {
      // It may have moved since it was found.
      program = try finder.find(name, path: path, directory: command.directory)
      result = spawn(command, at: program)
    }
    switch result {
    case .success(let child): return CommandProcess(child, leadsGroup: command.leadsGroup)
    case .failure(let failure): throw Self.explain(failure, command, program)
    }
  }

  /// Starts the program, or a shell if the file is a script without a `#!` line.
  private mutating func spawn(
    _ command: CommandDescription,
    at program: [UInt8]
  ) -> Result<Int32, SystemFailure> {
    let result = command.spawn(program, arguments: command.arguments, resetting: changedSignals)
    guard case .failure(let failure) = result, failure.code == ENOEXEC else { return result }
    let shell = Array("/bin/sh".utf8)
    let arguments = [shell, program] + command.arguments.dropFirst()
    return command.spawn(shell, arguments: arguments, resetting: changedSignals)
  }

  /// The error number alone does not tell whether the folder, the program or its interpreter
  /// failed.
  private static func explain(
    _ failure: SystemFailure,
    _ command: CommandDescription,
    _ program: [UInt8]
  ) -> SpawnFailure {
    if !failure.isShortage, let directory = command.directory {
      let code = FileCheck.enterability(of: directory)
      if code != 0 { return SpawnFailure(cwd: directory, reason: SystemFailure.reason(code)) }
    }
    let isMissing = failure.code == ENOENT
    let visible = FileCheck.path(program, from: command.directory)
    let reason =
      isMissing && FileCheck.executability(of: visible) == 0
      ? "the interpreter that its first line names was not found" : failure.reason
    return SpawnFailure(
      subject: command.arguments[0],
      reason: reason,
      isMissing: isMissing,
      isShortage: failure.isShortage
    )
  }
}
