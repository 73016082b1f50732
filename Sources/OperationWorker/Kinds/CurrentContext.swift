import PoolSystem

extension WorkerContext {
  /// Of the operation whose task calls.
  @TaskLocal private static var ofTask: WorkerContext?

  /// The context of the operation that executes the calling code; nil elsewhere.
  ///
  /// An operation that does not suspend has it on the thread that called its `main`; one that
  /// suspends, in its task and in those made from it, unless they are detached. Closures that it
  /// hands to other threads, such as a dispatch queue's, have none.
  public static var current: WorkerContext? { ofTask ?? ThreadContext.ofThread?.context }

  /// Makes this the current context of the task for as long as the body executes.
  func makeCurrent<Value>(
    during body: @Sendable () async throws -> Value
  ) async rethrows -> Value {
    try await Self.$ofTask.withValue(self, operation: body)
  }
}

/// The operation that a thread executes.
///
/// A task-local value would do, and would take a tenth of a worker's time where operations are
/// short.
final class ThreadContext {
  private static let place = ThreadObject()

  var context: WorkerContext?

  /// The calling thread's, where it ever executed an operation.
  static var ofThread: ThreadContext? {
    // Nothing else is ever put there.
    place?.current.map { unsafeDowncast($0, to: ThreadContext.self) }
  }

  /// The calling thread's, made where there is none.
  static func own() -> ThreadContext {
    if let known = ofThread { return known }
    let new = ThreadContext()
    place?.set(new)
    return new
  }
}
