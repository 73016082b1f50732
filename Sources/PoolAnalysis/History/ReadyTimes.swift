import PoolEvents
package import PoolModel

/// When each operation of a run could have been executed first.
///
/// A run says it of the operations that have settled. Where it does not, as in a journal, it is the
/// end of what the operation waits for: its dependencies, and for barriers what was added before.
package enum ReadyTimes {
  /// The times in the order of the operations; nil for those that never were ready.
  ///
  /// Time is linear in operations and dependencies.
  package static func of(_ history: RunHistory) -> [Instant?] {
    var barrier = Barrier()
    return history.operations.map { operation in
      defer { barrier.add(operation) }
      return told(operation) ?? derived(operation, history, barrier)
    }
  }

  /// What the run says; of an operation that was tried again, that is when its last attempt was
  /// ready.
  private static func told(_ operation: HistoricOperation) -> Instant? {
    guard let ready = operation.ready else { return nil }
    guard let start = operation.attempts.first?.started else { return ready }
    return ready <= start ? ready : nil
  }

  /// What has been added so far, as far as barriers concern it.
  private struct Barrier {
    /// When the last barrier ended; nil if it did not.
    var end: Instant? = .zero
    /// When everything before ended; nil if something did not.
    var everything: Instant? = .zero

    mutating func add(_ operation: HistoricOperation) {
      everything = latest(everything, operation.settled)
      if operation.submitted.isBarrier { end = everything }
    }
  }

  private static func latest(_ one: Instant?, _ other: Instant?) -> Instant? {
    guard let one, let other else { return nil }
    return max(one, other)
  }

  private static func derived(
    _ operation: HistoricOperation,
    _ history: RunHistory,
    _ barrier: Barrier
  ) -> Instant? {
    var time = latest(
      operation.submittedAt,
      operation.submitted.isBarrier ? barrier.everything : barrier.end
    )
    for dependency in operation.submitted.dependencies {
      time = latest(time, settled(dependency.number, history))
    }
    // It began for sure, though clocks of workers and coordinator may differ by a little.
    guard let start = operation.attempts.first?.started else {
      return operation.ending == .skipped ? nil : time
    }
    return min(time ?? start, start)
  }

  /// When an operation, or a group, had its outcome.
  static func settled(_ number: Int, _ history: RunHistory) -> Instant? {
    if let place = history.place(of: number) { return history.operations[place].settled }
    return history.groupPlace(of: number).flatMap { history.groups[$0].settled }
  }
}
