import PoolSystem
package import PoolWire

/// The shells that may execute command lines: those that quote like `sh`.
///
/// In others, such as `csh` and `fish`, an input that is quoted for `sh` could become a command.
package enum ShellName: String, CaseIterable {
  case sh, bash, dash, ash, ksh, mksh, zsh

  package static let list = allCases.map(\.rawValue).joined(separator: ", ")

  /// The shell of a program's name or path; nil if it is another program.
  package init?(program: [UInt8]) {
    self.init(rawValue: String(decoding: PathComponents.baseName(program[...]), as: UTF8.self))
  }
}

extension CommandPayload.Action {
  /// A line that the shell executes; nil for `/bin/sh`.
  package static func line(_ line: [UInt8], by shell: [UInt8]?) -> Self {
    guard let shell else { return .shell(line) }
    return .run([shell, Array("-c".utf8), line])
  }
}

extension BashSyntax {
  /// With the functions of this process's environment, and this machine's `/bin/sh`.
  package static var ofThisProcess: Self {
    let shell = (try? FilePath.resolve(Array("/bin/sh".utf8))).flatMap(ShellName.init(program:))
    return Self(
      environment: ProcessEnvironment.current.variables,
      isKnownToShell: shell.map([ShellName.bash, .zsh, .ksh, .mksh].contains) ?? false
    )
  }
}
