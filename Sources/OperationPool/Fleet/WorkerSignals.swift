import PoolCore
import PoolSystem

/// How a worker was signalled, and which processes it is known to consist of.
struct WorkerSignals {
  /// The process that was started here: the worker, or its guardian.
  private let process: any WorkerProcess
  /// The worker's own process: the one that was started, or what that guards.
  private(set) var worker: Int32
  /// Why it was signalled last, if it was.
  private(set) var reason: SignalReason?
  /// Whether that was SIGKILL.
  private(set) var isKilled = false
  /// Whether it was already stopped when it was signalled.
  private(set) var wasStopped = false

  init(_ process: any WorkerProcess) {
    self.process = process
    worker = process.pid
  }

  /// The worker says which process it is; believed of what was started below the one that was
  /// started.
  mutating func note(pid: Int32) {
    if process.isAncestor(of: pid) { worker = pid }
  }

  /// Makes the worker end, and the group in which it executes its operation.
  mutating func end(by number: Int32, because reason: SignalReason, group: Int32?) {
    let kills = number == ProcessSignal.kill.number
    if !isKilled {
      // What it says of its end once it was killed is not why it was.
      isKilled = kills
      self.reason = reason
      // Asked before the signal, which ends that state with all others.
      wasStopped = process.isStopped(worker)
    }
    if kills { process.kill(with: group) } else { process.send(number) }
  }

  /// Signals the worker's process group.
  func send(_ number: Int32) {
    process.send(number)
  }

  /// Signals a group that the worker has named.
  func send(_ number: Int32, toGroup group: Int32) {
    process.send(number, toGroup: group)
  }

  /// Ends a worker that was killed and has not ended.
  func insist() {
    if isKilled { process.insist(on: worker) }
  }
}
