import OperationPool
import PoolInputs
import PoolReports
import PoolSystem

/// `opool map --pipe` and `--pipepart`: a stream or a file is cut, and each block is the standard
/// input of one execution.
enum BlockRun {
  /// Executes the command for each block, or prints the plan of that.
  static func execute(
    _ options: MapOptions,
    _ blocks: BlockOptions,
    _ preparation: RunPreparation
  ) throws(UsageError) -> ExitCode {
    var shared = options.shared
    let fields = options.inputs.layout(lacking: .blocks)
    let template = try options.template(fields)
    shared.display.tag = try shared.display.tag?.withPlaceholders(fields)
    let memory = BlockMemory()
    let slots = shared.slotCount(in: preparation)
    let input = options.inputs.effectiveSources[0]
    let file = try input.open()
    let source = try BlockSource(file.descriptor, blocks, slots: slots, memory: memory)
    let list = source.list
    let workload = BlockWorkload(template: template, blocks: list)
    if shared.isDryRun { return try plan(workload, source, of: input, shared, preparation) }
    let producer = BlockProducer(
      source: source,
      blocks: list,
      name: input.words,
      limits: source.isStream ? memory.limits(slots: slots) : .lines,
      files: [file]
    )
    return WorkloadRun.execute(workload, shared, preparation, producer: producer)
  }

  /// Prints the plan; the blocks of a stream are read, and not kept.
  private static func plan(
    _ workload: BlockWorkload,
    _ source: BlockSource,
    of input: InputSource,
    _ options: SharedOptions,
    _ preparation: RunPreparation
  ) throws(UsageError) -> ExitCode {
    do {
      let append: (BlockSource.Block) -> Void = { _ = workload.blocks.append(end: $0.end) }
      try source.forEachBlock(while: { true }, append)
    } catch {
      throw UsageError("\(input.words): \(error)", topic: .map)
    }
    return DryRun.show(workload, options, preparation) {
      DryRunPlan(independent: workload.count, by: $0)
    }
  }
}

extension InputSource {
  fileprivate func open() throws(UsageError) -> InputFile {
    do throws(SystemFailure) {
      return try InputFile(path)
    } catch {
      throw UsageError("\(words) cannot be read: \(error.reason)", topic: .map)
    }
  }
}
