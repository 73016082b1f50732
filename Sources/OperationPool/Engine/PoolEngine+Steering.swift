package import PoolCore
package import PoolModel

// What other processes ask a run for while it goes on.

extension PoolEngine {
  /// What has become of a request to cancel.
  package enum Cancellation: Hashable, Sendable {
    /// Nothing was cancelled: all operations of the targets at these places had ended.
    case refused([Int])
    /// These operations are cancelled; the earlier ones were before, and have not ended. Those
    /// that follow will be skipped, so many of them because of this request.
    case accepted([Int], earlier: [Int], skips: [Int], newSkipCount: Int)
  }

  /// Cancels numbered operations, all or none: each target has one operation, or several of which
  /// at least one must not have ended.
  package func cancel(_ targets: [[Int]]) -> Cancellation {
    update { transaction in
      let open = targets.map { target in target.filter { transaction.isOpen($0) } }
      let ended = open.indices.filter { open[$0].isEmpty }
      guard ended.isEmpty else { return .refused(ended) }
      var seen: Set<Int> = []
      let all = open.joined().filter { seen.insert($0).inserted }
      let earlier = all.filter { transaction.isCancelled($0) }
      let numbers = earlier.isEmpty ? all : all.filter { !transaction.isCancelled($0) }
      let skips = transaction.skips(afterCancelling: all)
      let oldSkips = earlier.isEmpty ? [] : transaction.skips(afterCancelling: earlier)
      let ids = numbers.map { OperationID(index: $0, generation: 0) }
      transaction.machine.cancel(ids, at: transaction.now)
      return .accepted(
        numbers,
        earlier: earlier,
        skips: skips,
        newSkipCount: skips.count - Set(skips).intersection(oldSkips).count
      )
    }
  }

  /// The executions that are being ended, by the numbers of their operations; O(workers).
  package var endings: [Int: OperationEnding] {
    let endings = read { $0.machine.supervisor.endings(at: $0.now) }
    return Dictionary(endings.map { ($0.operation.number, $0) }) { first, _ in first }
  }

  /// How far a pause is.
  package struct Standstill: Hashable, Sendable {
    /// Number of operations that execute.
    package var executing: Int
    /// Number of operations that workers have, and have not begun.
    package var unstarted: Int
  }

  /// What workers have now; O(workers).
  package var standstill: Standstill {
    read { transaction in
      Standstill(
        executing: transaction.machine.graph.executingCount,
        unstarted: max(transaction.machine.unstartedCount, 0)
      )
    }
  }

  /// The number of slots that a queue's operations may take at once; `Int.max` for no limit.
  package func width(of queue: QueueID) -> Int { read { $0.width(of: queue) } }

  /// Lets the worker configuration with that index in its fleet have at least so many workers.
  package func widen(configurationAt index: Int, of fleet: FleetID, to count: Int) {
    update { transaction in
      let configuration = transaction.machine.supervisor.configuration(at: index, of: fleet)
      if let configuration { transaction.machine.widen(configuration, to: count) }
    }
  }

  /// Calls the closure on the coordinator's thread, between turns; never without a loop.
  package func onLoop(_ body: @escaping @Sendable () -> Void) { performOnLoop(body) }
}

extension PoolEngine.Transaction {
  /// Whether a numbered operation has not ended.
  fileprivate func isOpen(_ number: Int) -> Bool {
    phase(of: OperationID(index: number, generation: 0)) != .finished
  }

  /// Whether a numbered operation was cancelled, and has not ended.
  fileprivate func isCancelled(_ number: Int) -> Bool {
    machine.graph.isCancelled(OperationID(index: number, generation: 0))
  }

  /// The numbers of the operations that are skipped if numbered ones are cancelled.
  fileprivate func skips(afterCancelling numbers: [Int]) -> [Int] {
    let ids = numbers.map { OperationID(index: $0, generation: 0) }
    return machine.graph.skips(afterCancelling: ids).map(\.number)
  }
}
