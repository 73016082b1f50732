import PoolInputs
import PoolReports
import PoolSystem
import PoolWire

/// `opool map`: a command for each input, or for several.
enum MapRun {
  /// Executes the command, or prints the plan of that.
  static func execute(
    _ options: MapOptions,
    _ preparation: RunPreparation
  ) throws(UsageError) -> ExitCode {
    let ignored = IgnoredInput(options)
    ignored.announce()
    defer { ignored.announceRest() }
    if let blocks = options.blocks { return try BlockRun.execute(options, blocks, preparation) }
    if options.inputs.sources.isEmpty, options.shared.verbosity != .quiet {
      TerminalInput.announce("inputs are")
    }
    do throws(InputError) {
      return try execute(options, InputStream(options.inputs), preparation)
    } catch {
      options.shared.complain(error.description)
      return .usage
    }
  }

  private static func execute(
    _ options: MapOptions,
    _ stream: sending InputStream,
    _ preparation: RunPreparation
  ) throws(InputError) -> ExitCode {
    var options = options
    let template: Template
    do throws(UsageError) {
      let fields = options.inputs.layout(names: stream.names)
      template = try options.template(fields)
      options.shared.display.tag = try options.shared.display.tag?.withPlaceholders(fields)
    } catch {
      throw .content(error)
    }
    stream.fit(template.size, slotCount: options.shared.slotCount(in: preparation))
    return try execute(template, stream, options, preparation)
  }

  /// Executes inputs as they arrive, so that a slow source delays nothing; arguments are all here.
  private static func execute(
    _ template: Template,
    _ stream: sending InputStream,
    _ options: MapOptions,
    _ preparation: RunPreparation
  ) throws(InputError) -> ExitCode {
    let labels = FieldLabels(of: options.inputs, named: stream.names)
    guard options.inputs.isAllKnown || options.shared.isDryRun else {
      let inputs = InputList(MapInputs())
      let workload = MapWorkload(template: template, inputs: inputs, labels: labels)
      let producer = InputProducer(stream, to: workload.inputs, absence: options.inputs.absence)
      return WorkloadRun.execute(workload, options.shared, preparation, producer: producer)
    }
    let inputs = InputList(try stream.all())
    let workload = MapWorkload(template: template, inputs: inputs, labels: labels)
    if options.shared.isDryRun {
      return DryRun.show(workload, options.shared, preparation) {
        DryRunPlan(independent: workload.count, by: $0)
      }
    }
    return WorkloadRun.execute(workload, options.shared, preparation)
  }
}

extension MapOptions {
  /// The command for inputs of this layout; says what the user should know of it.
  func template(_ fields: FieldLayout) throws(UsageError) -> Template {
    let template = try Template(
      command: command,
      shell: shared.shell,
      fields: fields,
      checksInputs: !inputs.isUnchecked
    )
    guard shared.verbosity != .quiet else { return template }
    for warning in [template.warning, bashHint] {
      if let warning { CurrentProcess.complain("opool: \(warning)") }
    }
    return template
  }

  /// What to do about a word of bash in the command, if bash does not execute it.
  private var bashHint: String? {
    guard shared.shell == nil else { return nil }
    return BashSyntax.ofThisProcess.hint(
      for: command.count > 1 ? .run(command) : .shell(command[0])
    )
  }
}
