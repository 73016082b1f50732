import CPoolSystem
import PoolModel
import Synchronization

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// What workers leave to a coordinator that is a program of its own: whatever is orphaned below it,
/// where a worker and its guardian die at once, becomes its child.
///
/// Not for a library: its host's children are the host's.
package enum Adoption {
  private static let isBegun = Atomic(false)

  /// From here on this process adopts what is orphaned below it; nothing where the system has no
  /// means.
  package static func begin() {
    guard opool_adopt_orphans(1) == 0 else { return }
    isBegun.store(true, ordering: .releasing)
  }

  /// Whether it does.
  package static var isOn: Bool { isBegun.load(ordering: .acquiring) }

  /// What a worker has left whose guardian did not outlive it.
  package struct Estate: Sendable {
    var worker: Int32
    var command: Int32?

    /// The worker's own process, and that of the command which it said that it executes.
    package init(worker: Int32, command: Int32?) {
      (self.worker, self.command) = (worker, command)
    }
  }

  /// Ends what a worker has left of the command that it executed, and waits for that, but not for
  /// ever.
  ///
  /// `known` are all children that this process has started itself. None may be started meanwhile.
  package static func settle(_ estate: Estate, known: Set<Int32>, within nanoseconds: Int64) {
    // It may be dying still; then what is below it is not here yet.
    if estate.worker > 1, !known.contains(estate.worker),
      opool_parent_of(estate.worker) == getpid()
    {
      _ = opool_end_child(estate.worker, nanoseconds)
    }
    end(estate, beside: known, until: MonotonicClock.now + nanoseconds)
    reap(beside: known)
  }

  /// What is ended may have children, which come here by that; and what a look finds is no more
  /// than was there at some moment.
  private static func end(_ estate: Estate, beside known: Set<Int32>, until deadline: Int64) {
    var emptyLooks = 0
    while emptyLooks < 2, MonotonicClock.now < deadline {
      let children = look(beside: known)
      let command = estate.command.flatMap { number in seen.withLock { $0.processes[number] } }
      let victims = AdoptedProcess.left(by: command, among: children)
      for victim in victims { ProcessSignal.kill.send(toProcess: victim.identifier) }
      let rest = max(deadline - MonotonicClock.now, 0)
      let ended = victims.filter { opool_end_child($0.identifier, rest) != 0 }
      // Another user's processes refuse.
      if ended.isEmpty, !victims.isEmpty { return }
      emptyLooks = victims.isEmpty ? emptyLooks + 1 : 0
      if emptyLooks == 1 { MonotonicClock.sleep(nanoseconds: .milliseconds(1)) }
    }
  }

  /// Reaps those that have ended and that this process has not started itself.
  package static func reap(beside known: Set<Int32>) {
    for stranger in look(beside: known) { opool_reap_orphan(stranger.identifier) }
  }

  /// Strangers that were seen a moment ago.
  ///
  /// Where several workers die at once, the command of one may be gone before it is its turn.
  private struct Seen {
    var processes: [Int32: AdoptedProcess] = [:]
    var end: Int64 = 0
  }

  private static let seen = Mutex(Seen())
  /// How long they are remembered: 5 s, in which hardly any number is given again.
  private static let memory = Int64.seconds(5)

  /// All children that this process has not started itself, which are remembered for a while.
  private static func look(beside known: Set<Int32>) -> [AdoptedProcess] {
    let strangers = ProcessStatus.children(of: getpid()).filter { !known.contains($0) }
    let processes = strangers.compactMap(facts)
    guard !processes.isEmpty else { return [] }
    let now = MonotonicClock.now
    seen.withLock { seen in
      if now >= seen.end { seen.processes = [:] }
      seen.end = now + memory
      for process in processes { seen.processes[process.identifier] = process }
    }
    return processes
  }

  private static func facts(_ child: Int32) -> AdoptedProcess? {
    guard let start = ProcessStatus.startTime(of: child) else { return nil }
    return AdoptedProcess(
      identifier: child,
      start: start,
      group: getpgid(child),
      session: getsid(child),
      isKilled: ProcessStatus.ending(ofChild: child) == .signaled(SIGKILL)
    )
  }
}
