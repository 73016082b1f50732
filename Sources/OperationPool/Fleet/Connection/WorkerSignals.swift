import PoolCore
import PoolSystem

/// The signals sent to a worker, and its known processes.
struct WorkerSignals {
  /// The process that was started here: the worker, or its guardian.
  private let handle: any WorkerHandle
  /// The worker's own process: the one that was started, or the one that it guards.
  private(set) var worker: Int32
  /// The reason of the latest signal, if there was one.
  private(set) var reason: SignalReason?
  /// Whether that was SIGKILL.
  private(set) var isKilled = false
  /// Whether it was already stopped when it was signalled.
  private(set) var wasStopped = false

  init(_ handle: any WorkerHandle) {
    self.handle = handle
    worker = handle.pid
  }

  /// The worker reports its process; returns whether that is believed: if it is the process that
  /// was started, or a descendant of it.
  @discardableResult
  mutating func note(pid: Int32) -> Bool {
    if handle.isAncestor(of: pid) { worker = pid }
    return pid == worker
  }

  /// Signals the worker and the process group of its operation so that they end.
  mutating func end(by number: Int32, because reason: SignalReason, group: Int32?) {
    let kills = number == ProcessSignal.kill.number
    if !isKilled {
      // A killed worker's own words about its end do not say why it was killed.
      isKilled = kills
      self.reason = reason
      // Asked before the signal, which would end that state.
      wasStopped = handle.isStopped(worker)
    }
    if kills { handle.kill(with: group) } else { handle.send(number) }
  }

  /// Signals the worker's process group.
  func send(_ number: Int32) {
    handle.send(number)
  }

  /// Signals a group that the worker has reported.
  func send(_ number: Int32, toGroup group: Int32) {
    handle.send(number, toGroup: group)
  }

  /// Kills again a worker that was killed and has not ended.
  func insist() {
    if isKilled { handle.insist(on: worker) }
  }
}
