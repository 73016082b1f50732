import PoolModel
import PoolSystem
import Synchronization

/// Work that suspends, and a thread that waits for it.
enum AsyncExecution {
  /// Executes the body in its own task, which a request to stop cancels.
  ///
  /// The task has its operation's class. If that is below the worker's own, its jobs execute on the
  /// calling thread, which was lowered; otherwise on the runtime's threads, or on
  /// ``ThreadPoolExecutor``.
  static func wait<Output: Sendable>(
    in context: WorkerContext,
    _ body: @escaping @Sendable () async throws -> Output
  ) throws -> Output {
    let outcome = Monitor<Result<Output, any Error>?>(nil)
    let quality = context.qualityOfService
    let jobs = quality.niceIncrement > 0 ? CallingThreadExecutor() : nil
    let threads =
      ThreadPoolExecutor.areNeeded.load(ordering: .relaxed) ? ThreadPoolExecutor.shared : nil
    let task = Task(executorPreference: jobs ?? threads, priority: TaskPriority(quality)) {
      let result: Result<Output, any Error>
      do {
        result = .success(try await context.makeCurrent(during: body))
      } catch {
        result = .failure(error)
      }
      outcome.withLock { $0 = result }
      outcome.signal()
      jobs?.finish()
    }
    context.connection.register(
      CancelHandle(ask: { _ in task.cancel() }, kill: {}),
      for: context.reference
    )
    jobs?.run()
    return try outcome.wait(while: { $0 == nil }, then: { $0 ?? .failure(CancellationError()) })
      .get()
  }
}
