import PoolSystem

/// Work for a thread of a ``ThreadPool``.
protocol ThreadWork: AnyObject, Sendable {
  /// The execution, if it needs a task; nil if it needs only a thread.
  var ofTask: BlockExecution? { get }

  /// Executes it on the calling thread; only if it needs no task.
  func execute()

  /// The user's code has ended the calling thread instead of returning.
  func threadEnded()
}

extension ThreadWork {
  var ofTask: BlockExecution? { nil }
  func threadEnded() {}
}

/// Why an operation fails whose block has ended its thread.
struct ThreadEnded: Error, CustomStringConvertible {
  let description = "its block ended its thread"
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
  /// What the thread executes, for the case that it ends the thread; kept by what calls it.
  @exclusivity(unchecked) unowned(unsafe) var work: (any ThreadWork)?
  /// The number of the latest task; rises when it has suspended or ended.
  @exclusivity(unchecked) private(set) var number = 0
  @exclusivity(unchecked) private var thread: SystemThread?

  /// Whether the calling task, which began with this number, has not suspended: then it is still
  /// on the thread.
  func isCurrent(_ number: Int) -> Bool {
    // The number belongs to the thread: a task that has left it must not read it.
    thread?.isCurrent == true && self.number == number
  }

  /// The calling thread is the one that this is about.
  func begin() { thread = .current }

  /// The latest task has left the thread.
  func endTask() {
    number += 1
    work = nil
  }
}
