import PoolSystem

/// Work for a thread of a ``ThreadPool``.
protocol ThreadWork: AnyObject, Sendable {
  /// The execution, if it needs a task; nil if it needs only a thread.
  var ofTask: BlockExecution? { get }

  /// Executes it on the calling thread; only if it needs no task.
  func execute()
}

extension ThreadWork {
  var ofTask: BlockExecution? { nil }
}

/// A closure for a thread.
final class ThreadBlock: ThreadWork {
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  func execute() { body() }
}

/// What a thread of a ``ThreadPool`` knows of its work.
///
/// `@unchecked Sendable`: only the thread uses it; a task that began there asks ``isCurrent(_:)``
/// first.
final class ThreadTurn: @unchecked Sendable {
  /// What the thread's task has taken for the thread.
  @exclusivity(unchecked) var order: ThreadPoolScheduler<any ThreadWork>.Order?
  /// When the current work began, a time of `MonotonicClock`; nil if there is none.
  @exclusivity(unchecked) var start: Int64?
  @exclusivity(unchecked) var policy = SpinPolicy()
  /// The number of the latest task; rises when it has suspended or ended.
  @exclusivity(unchecked) private(set) var number = 0
  private let thread = SystemThread.current

  /// Whether the calling task, which began with this number, has not suspended: then it is still
  /// on the thread.
  func isCurrent(_ number: Int) -> Bool {
    // The number belongs to the thread: a task that has left it must not read it.
    thread.isCurrent && self.number == number
  }

  /// The latest task has left the thread.
  func endTask() { number += 1 }
}
