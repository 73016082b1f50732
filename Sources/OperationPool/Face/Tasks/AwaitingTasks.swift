/// Tasks that wait for one event, each of which may stop waiting.
///
/// Confined to the lock of what they wait for.
struct AwaitingTasks {
  private var waiting: [(number: Int, continuation: CheckedContinuation<Void, Never>)] = []
  private var count = 0

  var isEmpty: Bool { waiting.isEmpty }

  /// The number of a task that is about to wait.
  mutating func begin() -> Int {
    count += 1
    return count
  }

  /// A task waits, by the number that it was given.
  mutating func add(_ number: Int, _ continuation: CheckedContinuation<Void, Never>) {
    waiting.append((number, continuation))
  }

  /// Takes a task out that stops waiting; nil where it does not wait, or not yet.
  mutating func remove(_ number: Int) -> CheckedContinuation<Void, Never>? {
    waiting.firstIndex { $0.number == number }.map { waiting.remove(at: $0).continuation }
  }

  /// Lets all go on.
  func resumeAll() {
    for task in waiting { task.continuation.resume() }
  }
}
