import PoolInputs
import PoolModel
import PoolReports
import PoolSystem
import PoolWire

/// The command `opool`, from its arguments to its exit code.
package enum OpoolCommand {
  /// What `--version` prints.
  package static let version = "opool \(PackageVersion.text)"

  /// Runs the command with the arguments after the program's name; returns the exit code.
  package static func run(arguments: [[UInt8]]) -> Int32 {
    // The next opened file would get the number of a closed stream.
    StandardStreams.occupyClosed()
    Descriptors.closeBeyondLimit()
    // At a limit of file sizes a write fails, and the process does not end.
    ProcessSignal.fileSize.ignore()
    SignalInbox.catchEarly()
    do {
      switch try Invocation(arguments: arguments) {
      case .help(let topic): return show(Array(topic.text.utf8)).rawValue
      case .shortHelp: return show(Array(ShortHelp.text.utf8)).rawValue
      case .version: return show(Array((version + "\n").utf8)).rawValue
      case .run(var options):
        if let code = options.shared.rehearse() { return code.rawValue }
        try options.shared.inspectInheritance(.run)
        let preparation = try options.shared.begin(with: .manifest)
        return run(options, preparation).rawValue
      case .map(var options):
        if let code = options.shared.rehearse() { return code.rawValue }
        try options.shared.inspectInheritance(.map)
        let preparation = try options.shared.begin(with: .inputs)
        return try MapRun.execute(options, preparation).rawValue
      case .journal(let options): return JournalCommand.run(options).rawValue
      case .status(let options): return StatusCommand.run(options).rawValue
      case .explain(let id, let options): return ExplainCommand.run(id, options).rawValue
      case .output(let id, let options): return OutputCommand.run(id, options).rawValue
      case .steer(let request, let options): return SteerCommand.run(request, options).rawValue
      case .report(let options): return ReportCommand.run(options).rawValue
      case .checkWorker(let options): return CheckWorkerCommand.run(options).rawValue
      case .doctor(let options):
        if let host = options.host {
          return try HostDoctor.run(host, printsJSON: options.printsJSON).rawValue
        }
        let (text, isUsable) = DoctorCommand.report(options)
        let exit = show(text)
        return (exit == .success && !isUsable ? .workers : exit).rawValue
      case .completion(let shell): return show(Array(shell.completions.utf8)).rawValue
      case .manual: return show(Array(ManualPage.text.utf8)).rawValue
      }
    } catch let failure as RunFailure {
      complain("opool: \(failure.message)")
      return failure.code.rawValue
    } catch {
      complain("\(error)")
      return ExitCode.usage.rawValue
    }
  }

  private static func run(_ options: RunOptions, _ preparation: RunPreparation) -> ExitCode {
    if options.shared.streams, !options.shared.executesNothing {
      return StreamRun.execute(options, preparation)
    }
    if options.manifest == .standardInput, options.shared.verbosity != .quiet {
      TerminalInput.announce("the manifest is")
    }
    do throws(SystemFailure) {
      return run(try WholeInput.manifest(options.manifest), options.shared, preparation)
    } catch {
      options.shared.complain("opool: \(options.manifest.words) cannot be read: \(error.reason)")
      return .manifest
    }
  }

  /// Runs a manifest.
  private static func run(
    _ file: WholeInput.ManifestFile,
    _ options: SharedOptions,
    _ preparation: RunPreparation
  ) -> ExitCode {
    do throws(ManifestErrors) {
      if options.streams {
        try StreamedLines.check(file.text, servesOnlyCommands: options.servesOnlyCommands)
      }
      var manifest = try Manifest(file.text)
      manifest.file = file.name
      manifest.shell = options.shell
      if !options.simulatedWidths.isEmpty { return Simulation.show(manifest, options, preparation) }
      if options.graph.format != nil {
        return PlanPicture.show(manifest, options, options.graph, preparation)
      }
      try demandServed(manifest, options)
      if options.isDryRun {
        return DryRun.show(manifest, options, preparation) { [manifest] in
          DryRunPlan(manifest, by: $0)
        }
      }
      return WorkloadRun.execute(manifest, options, preparation, from: file.identity)
    } catch {
      for line in error.lines(file: file.name) { options.complain(line) }
      return .manifest
    }
  }

  /// Checks that all constraints can be met, and that all kinds are served: without workers of the
  /// user's own there is only the standard worker, which serves commands.
  private static func demandServed(
    _ workload: Manifest,
    _ options: SharedOptions
  ) throws(ManifestErrors) {
    try UnservedKinds.demandFeatures(for: workload, of: options.workers)
    guard options.servesOnlyCommands else { return }
    let errors = UnservedKinds.errors(in: workload) { $0.name != CommandPayload.kind }
    if !errors.isEmpty { throw errors }
  }

  private static func show(_ text: [UInt8]) -> ExitCode { StandardOutput.write(text) ?? .success }

  private static func complain(_ line: String) {
    CurrentProcess.complain(line)
  }
}
