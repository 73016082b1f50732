import PoolCore
import PoolSystem

/// The processes that a worker consists of, as far as that is proved, and how they were signalled.
struct WorkerSignals {
  /// The process that was started here: the worker, or its guardian.
  private let child: Int32
  /// The worker's own process: the one that was started, or what that guards.
  private(set) var worker: Int32
  /// Why it was signalled last, if it was.
  private(set) var reason: SignalReason?
  /// Whether that was SIGKILL.
  private(set) var isKilled = false
  /// Whether a signal that was not the pool's had stopped it then.
  private(set) var wasStopped = false

  init(child: Int32) {
    self.child = child
    worker = child
  }

  /// Which process the worker says that it is; believed of what was started below the one that was
  /// started.
  mutating func note(pid: Int32) {
    guard Descendant(pid, below: child) != nil else { return }
    worker = pid
  }

  /// Makes the worker end, and the group in which it executes its operation.
  mutating func end(by number: Int32, because reason: SignalReason, group: Int32?) {
    if !isKilled {
      // What it says of its end once it was killed is not why it was.
      isKilled = number == ProcessSignal.kill.number
      self.reason = reason
      // Asked before the signal, which ends that state with all others.
      wasStopped = ProcessStatus.isStopped(worker)
    }
    if number == ProcessSignal.kill.number { kill(group) } else { send(number) }
  }

  /// Signals the worker's process group.
  func send(_ number: Int32) {
    Guardian.send(ProcessSignal(number), toWorkerOf: child)
  }

  /// Signals a group that the worker has named, where its leader was started by this worker.
  func send(_ number: Int32, toGroup group: Int32) {
    Descendant(group, below: child)?.send(toGroup: ProcessSignal(number))
  }

  /// Kills the worker, and what executes its operation.
  private func kill(_ group: Int32?) {
    guard let group, !Guardian.isOne(child) else { return send(ProcessSignal.kill.number) }
    // Proved while the worker lives, and killed when it cannot report that any more.
    let command = Descendant(group, below: child)
    send(ProcessSignal.kill.number)
    command?.send(toGroup: .kill)
  }

  /// Ends a worker that was killed and has not ended, and a guardian that has not seen to that.
  func insist() {
    guard isKilled else { return }
    Descendant(worker, below: child)?.send(toGroup: .kill)
    ProcessSignal.kill.send(toGroup: child)
  }
}
