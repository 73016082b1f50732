import PoolModel
import PoolSystem
import PoolWire

/// A worker in the coordinator's process, for blocks.
///
/// To the machine it is a worker like any other: it greets, executes one operation at a time,
/// answers, and ends when it is retired. It can be asked to stop an operation. Signals do not reach
/// blocks: they only make the worker end after the current one.
final class BlockWorker: WorkerPeer {
  /// The kind of blocks; only block workers serve it.
  static let kind = "opool.block"

  /// Its greeting.
  static let hello = Hello(
    pid: CurrentProcess.identifier,
    kinds: [kind],
    capabilities: [.cancel]
  )

  private let engine: PoolEngine
  private let threads: ThreadPool
  private var execution: BlockExecution?
  private var isRetired = false
  private var hasEnded = false

  /// Creates a worker, which greets at once.
  init(
    _ id: WorkerID,
    _ configuration: ConfigurationID,
    _ engine: PoolEngine,
    _ threads: ThreadPool
  ) {
    self.engine = engine
    self.threads = threads
    super.init(id, configuration, pid: nil)
    engine.post(.greeted(id))
  }

  /// Executes an operation, on other threads.
  func execute(
    _ operation: PoolOperation,
    _ reference: DispatchReference,
    as qualityOfService: PoolQualityOfService
  ) {
    let execution = BlockExecution(
      of: operation,
      reference,
      as: qualityOfService,
      by: id,
      engine,
      threads
    )
    self.execution = execution
    execution.start()
  }

  /// Asks an operation to stop.
  func cancel(_ reference: DispatchReference) {
    guard let execution, execution.reference == reference else { return }
    execution.ask()
  }

  /// The operation was answered.
  func answered() {
    execution = nil
    endIfIdle()
  }

  /// Ends after the operation that executes, if any.
  func retire() {
    isRetired = true
    endIfIdle()
  }

  private func endIfIdle() {
    guard isRetired, !hasEnded, execution == nil else { return }
    hasEnded = true
    engine.post(.ended(id, .exited(0)))
  }
}
