import PoolSystem

/// Work that suspends, waited for by a thread that does not.
enum AsyncExecution {
  /// Executes the body in a task of its own, which a request to stop cancels.
  static func wait<Output: Sendable>(
    in context: WorkerContext,
    _ body: @escaping @Sendable () async throws -> Output
  ) throws -> Output {
    let outcome = Monitor<Result<Output, any Error>?>(nil)
    let task = Task {
      let result: Result<Output, any Error>
      do {
        result = .success(try await body())
      } catch {
        result = .failure(error)
      }
      outcome.withLock { $0 = result }
      outcome.signal()
    }
    context.session.register(
      StopHandle(ask: { _ in task.cancel() }, kill: {}),
      for: context.reference
    )
    return try outcome.wait(while: { $0 == nil }, then: { $0 ?? .failure(CancellationError()) })
      .get()
  }
}
