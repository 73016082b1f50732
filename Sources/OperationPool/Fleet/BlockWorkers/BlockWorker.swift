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

  private let reports: any BlockReports
  private let threads: ThreadPool
  private var execution: BlockExecution?
  private var isRetired = false
  private var hasEnded = false

  /// Creates a worker, which greets at once.
  init(
    _ id: WorkerID,
    _ configuration: ConfigurationID,
    _ reports: any BlockReports,
    _ threads: ThreadPool
  ) {
    self.reports = reports
    self.threads = threads
    super.init(id, configuration, pid: nil)
    reports.blockWorkerGreeted(id)
  }

  /// Executes an operation, on threads of the thread pool.
  func execute(
    _ hosted: HostedExecution,
    _ reference: DispatchReference,
    on thread: BlockThread
  ) {
    let execution = BlockExecution(
      of: hosted,
      reference,
      by: id,
      reports,
      threads
    )
    self.execution = execution
    execution.start(on: thread)
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
    reports.blockWorkerEnded(id)
  }
}
