/// A task that executes work, one after another.
///
/// An object, because a copy of `UnsafeCurrentTask`, whose size the compiler does not know, costs
/// more than a lock.
///
/// `@unchecked Sendable`: cancelling is safe from any thread, and the rest is used only by the task
/// itself. It must not be used after the task's end.
final class WorkTask: @unchecked Sendable {
  let task: UnsafeCurrentTask
  private let priority: UInt8

  private init(_ task: UnsafeCurrentTask) {
    self.task = task
    priority = task.priority.rawValue
  }

  /// The calling task; nil outside tasks.
  static var current: WorkTask? {
    withUnsafeCurrentTask { $0.map { WorkTask($0) } }
  }

  /// Whether nothing has changed it since it began: neither a cancellation nor another priority.
  var isUnchanged: Bool { !task.isCancelled && task.priority.rawValue == priority }

  /// Cancels it.
  func cancel() { task.cancel() }
}
