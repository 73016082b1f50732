import PoolSystem

/// The threads and tasks that wait for the end of an operation, or of all operations of a queue.
///
/// Each has its own list, so that an end costs nothing to those that wait for others. Confined to
/// the lock of what they wait for.
struct EndWaiters {
  private var threads: [ThreadWaiter] = []
  private var tasks: [(number: Int, continuation: CheckedContinuation<Void, Never>)] = []
  private var taskCount = 0

  /// How many wait.
  var count: Int { threads.count + tasks.count }

  var isEmpty: Bool { threads.isEmpty && tasks.isEmpty }

  /// A thread is about to wait.
  mutating func add(_ thread: ThreadWaiter) {
    threads.append(thread)
  }

  /// The number of a task that is about to wait, and may stop waiting.
  mutating func begin() -> Int {
    taskCount += 1
    return taskCount
  }

  /// A task waits, by the number that it was given.
  mutating func add(_ number: Int, _ continuation: CheckedContinuation<Void, Never>) {
    tasks.append((number, continuation))
  }

  /// Takes a task out that stops waiting; nil where it does not wait, or not yet.
  mutating func remove(_ number: Int) -> CheckedContinuation<Void, Never>? {
    tasks.firstIndex { $0.number == number }.map { tasks.remove(at: $0).continuation }
  }

  /// Takes all out; numbers go on, because a task may wait again by its own.
  mutating func takeAll() -> Self {
    let all = self
    (threads, tasks) = ([], [])
    return all
  }

  /// Lets all go on; called once, without the lock.
  func wakeAll() {
    for thread in threads { thread.wake() }
    for task in tasks { task.continuation.resume() }
  }
}
