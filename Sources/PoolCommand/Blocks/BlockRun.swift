import OperationPool
import PoolSystem

/// `opool map --pipe` and `--pipepart`: the standard input is cut, and each block is the standard
/// input of one execution.
enum BlockRun {
  /// Executes the command for each block, or prints the plan of that.
  static func execute(
    _ command: [[UInt8]],
    _ blocks: BlockOptions,
    _ options: SharedOptions
  ) throws(UsageError) -> ExitCode {
    let template = try Template(command: command, shell: options.shell, takesInput: false)
    let memory = BlockMemory()
    let slots = options.slotCount
    let source = try BlockSource(0, blocks, slots: slots, memory: memory)
    let list = source.list
    let batch = BlockBatch(template: template, blocks: list)
    if options.isDryRun { return try plan(batch, source, options) }
    let feeder = BlockFeeder(
      source: source,
      blocks: list,
      limits: source.isStream ? memory.limits(slots: slots) : .lines
    )
    return BatchRun.execute(batch, options, feeder: feeder)
  }

  /// Prints the plan; the blocks of a stream are read, and not kept.
  private static func plan(
    _ batch: BlockBatch,
    _ source: BlockSource,
    _ options: SharedOptions
  ) throws(UsageError) -> ExitCode {
    do {
      let append: (BlockSource.Block) -> Void = { _ = batch.blocks.append(end: $0.end) }
      try source.forEachBlock(while: { true }, append)
    } catch {
      throw UsageError("the standard input cannot be cut: \(error)", topic: .map)
    }
    return DryRun.show(batch, options) { DryRunPlan(independent: batch.count, by: $0) }
  }
}

extension SharedOptions {
  /// How many operations may execute at the same time.
  fileprivate var slotCount: Int {
    workers.isEmpty
      ? width ?? PoolWorkerConfiguration.defaultCount : workers.reduce(0) { $0 + $1.count }
  }
}
