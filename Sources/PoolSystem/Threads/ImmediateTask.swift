/// A task that begins on the calling thread, if the system supports that.
package enum ImmediateTask {
  /// Starts a task; it executes here until it suspends for the first time.
  package static func start(
    priority: TaskPriority,
    _ body: @escaping @Sendable () async -> Void
  ) {
    if #available(macOS 26, *) {
      Task.immediate(priority: priority, operation: body)
    } else {
      Task(priority: priority, operation: body)
    }
  }
}
