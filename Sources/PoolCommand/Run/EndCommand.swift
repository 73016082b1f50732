import PoolInputs
import PoolModel
import PoolReports
import PoolSystem

/// The line of `--on-end`, for a run that has ended.
struct EndCommand {
  let shell: [UInt8]
  let line: [UInt8]
  /// What it finds in its environment beside the variables of opool itself.
  let variables: [(name: String, value: String)]

  /// Decides what is executed after a run.
  init(_ line: [UInt8], shell: [UInt8]?, exitCode: ExitCode, _ summary: Summary) {
    self.line = line
    self.shell = shell ?? Array("/bin/sh".utf8)
    variables = [
      ("OPOOL_EXIT_CODE", String(exitCode.rawValue)),
      ("OPOOL_SUCCEEDED", String(summary.count(.succeeded))),
      ("OPOOL_FAILED", String(summary.failureCount)),
    ]
  }

  /// Takes the line from the options of a run; nil if these have none.
  init?(of session: RunSession, endedAs code: ExitCode) {
    let options = session.options
    guard let line = options.endCommand else { return nil }
    self.init(line, shell: options.shell, exitCode: code, session.readers.summary)
  }

  /// Executes the line, and waits for its end; a failure is told, and changes nothing.
  ///
  /// Its output goes to the standard error: the standard output has only what operations print. It
  /// is in the process group of opool, so that Ctrl-C reaches it.
  func execute() {
    do {
      let input = try Descriptors.openFile(path: Array("/dev/null".utf8))
      defer { Descriptors.close(input) }
      var launcher = CommandLauncher()
      let process = try launcher.start(description(readingFrom: input))
      process.waitForEnd()
      let (status, _) = try process.reap()
      if status != .exited(0) { CurrentProcess.complain("opool: --on-end: \(status)") }
    } catch {
      CurrentProcess.complain("opool: --on-end: \(error)")
    }
  }

  private func description(readingFrom input: Int32) -> CommandDescription {
    var environment = ProcessEnvironment.current
    environment.set(variables.map { (name: Array($0.name.utf8), value: Array($0.value.utf8)) })
    return CommandDescription(
      arguments: [shell, Array("-c".utf8), line],
      environment: environment,
      standardInput: input,
      standardOutput: 2,
      leadsGroup: false
    )
  }
}
