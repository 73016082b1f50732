import PoolSystem

/// The threads and tasks that wait for the end of an operation, or of all operations of a queue.
///
/// Each operation and queue has its own list, so that an end wakes only its own waiters. Guarded by
/// the lock of the operation or queue.
struct EndWaiters {
  private var threads: [ThreadWaiter] = []
  private var tasks: [(number: Int, continuation: CheckedContinuation<Void, Never>)] = []
  private var taskCount = 0

  /// Number of waiting threads and tasks.
  var count: Int { threads.count + tasks.count }

  var isEmpty: Bool { threads.isEmpty && tasks.isEmpty }

  /// A thread is about to wait.
  mutating func add(_ thread: ThreadWaiter) {
    threads.append(thread)
  }

  /// The number of a task that is about to wait; it may use the number to stop waiting.
  mutating func begin() -> Int {
    taskCount += 1
    return taskCount
  }

  /// Adds a task that waits, by its number.
  mutating func add(_ number: Int, _ continuation: CheckedContinuation<Void, Never>) {
    tasks.append((number, continuation))
  }

  /// Removes a task that stops waiting; nil if it does not wait, or not yet.
  mutating func remove(_ number: Int) -> CheckedContinuation<Void, Never>? {
    tasks.firstIndex { $0.number == number }.map { tasks.remove(at: $0).continuation }
  }

  /// Removes all; keeps counting numbers, because a task may wait again with its own.
  mutating func takeAll() -> Self {
    let all = self
    (threads, tasks) = ([], [])
    return all
  }

  /// Resumes all; call it once, without the lock.
  func wakeAll() {
    for thread in threads { thread.wake() }
    for task in tasks { task.continuation.resume() }
  }
}
