import PoolAnalysis
package import PoolEvents
package import PoolInputs
package import PoolModel
import Synchronization

/// What a live block shows beside counts: the latest failures, how far groups are, and the places
/// of workers.
///
/// The coordinator's thread hands over records; the printer's thread asks.
package final class RunWatch: Sendable {
  private struct State {
    /// The latest failures, the latest last.
    var failures: [EndRecord] = []
    var skipped = 0
    /// Number of ended members of each group.
    var ended: [Int]
    /// The configuration of each living worker, by its position.
    var configurations: [WorkerID: Int] = [:]
  }

  /// The most failures that are kept.
  private static let failureLimit = 3
  /// The most groups that are told of.
  private static let groupLimit = 12

  private let workload: any Workload
  private let groupSizes: [Int]
  private let state: Mutex<State>

  /// Watches a run of a workload that has its groups already.
  package init(_ workload: any Workload) {
    self.workload = workload
    groupSizes = workload.memberCounts
    state = Mutex(State(ended: Array(repeating: 0, count: groupSizes.count)))
  }

  /// Number of operations that were skipped.
  package var skipped: Int { state.withLock { $0.skipped } }

  /// The latest failures in a line each, the latest first; safe to print.
  package var failures: [String] {
    state.withLock { $0.failures }.reversed().map { end in
      let name = Printable.name(workload.label(of: end.number))
      let reason = end.reason.map { ": " + Printable.text($0) } ?? ""
      return "\(name) \(ReportWording.ending(end.ending))\(reason)"
    }
  }

  /// How far the first groups are that have not ended, in their order.
  package var groups: [WatchedRun.Share] {
    let ended = state.withLock { $0.ended }
    let open = groupSizes.indices.lazy.filter { ended[$0] < self.groupSizes[$0] }
    return open.prefix(Self.groupLimit).map { group in
      let name = String(decoding: workload.groupName(group), as: UTF8.self)
      return WatchedRun.Share(name, ended[group], of: groupSizes[group])
    }
  }

  /// The position of the configuration of a worker; nil if it is not known.
  package func configuration(of worker: WorkerID) -> Int? {
    state.withLock { $0.configurations[worker] }
  }
}

extension RunWatch: RunReader {
  package var kinds: RunRecord.Kinds { [.settled, .workerGreeted, .workerEnded] }

  package func take(_ record: RunRecord) {
    switch record {
    case .settled(let end, _) where end.memberCount == nil: take(end)
    case .workerGreeted(let worker):
      state.withLock { $0.configurations[worker.worker] = worker.configuration }
    case .workerEnded(let worker):
      state.withLock { _ = $0.configurations.removeValue(forKey: worker.worker) }
    default: break
    }
  }

  private func take(_ end: EndRecord) {
    let known = groupSizes.isEmpty ? nil : workload.group(of: end.number)
    let group = known.flatMap { $0 < groupSizes.count ? $0 : nil }
    guard group != nil || end.ending == .skipped || end.ending.isFailure else { return }
    state.withLock { state in
      if let group { state.ended[group] += 1 }
      if end.ending == .skipped { state.skipped += 1 }
      guard end.ending.isFailure, !end.isResumed else { return }
      state.failures.append(end)
      if state.failures.count > Self.failureLimit { state.failures.removeFirst() }
    }
  }
}
