import OperationPool
import PoolSystem
import PoolWire

/// The shells that may execute command lines: those that quote like `sh`.
///
/// In others, such as `csh` and `fish`, an input that is quoted for `sh` could become a command.
enum ShellName: String, CaseIterable {
  case sh, bash, dash, ash, ksh, mksh, zsh

  static let list = allCases.map(\.rawValue).joined(separator: ", ")

  /// The shell of a program's name or path; nil if it is another program.
  init?(program: [UInt8]) {
    self.init(rawValue: String(decoding: PathComponents.baseName(program[...]), as: UTF8.self))
  }
}

extension CommandPayload.Action {
  /// A line that the shell executes; nil for `/bin/sh`.
  static func line(_ line: [UInt8], by shell: [UInt8]?) -> Self {
    guard let shell else { return .shell(line) }
    return .run([shell, Array("-c".utf8), line])
  }
}

extension BashSyntax {
  /// With the functions of this process's environment, and this machine's `/bin/sh`.
  static var ofThisProcess: Self {
    let shell = (try? FilePath.resolve(Array("/bin/sh".utf8))).flatMap(ShellName.init(program:))
    return Self(
      environment: ProcessEnvironment.current.variables,
      isKnownToShell: shell.map([ShellName.bash, .zsh, .ksh, .mksh].contains) ?? false
    )
  }
}

extension SharedOptions {
  /// Throws if workers on this machine would not find the shell.
  ///
  /// A relative path depends on the folder of each command, and the user's own workers may be
  /// elsewhere.
  func demandShell() throws(WorkloadRun.RunFailure) {
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
    throw WorkloadRun.RunFailure(.usage, "--shell: \(Printable.text(shell)): \(reason)")
  }
}
