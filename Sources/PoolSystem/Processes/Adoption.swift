import CPoolSystem
import PoolModel
import Synchronization

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Adopts processes that workers leave to a coordinator that is its own program: if a worker and
/// its guardian die together, their orphans become children of the coordinator.
///
/// Not for a library, whose host has children of its own.
package enum Adoption {
  private static let isBegun = Atomic(false)

  /// From here on this process adopts the orphans below it, if the system supports that.
  package static func begin() {
    guard opool_adopt_orphans(1) == 0 else { return }
    isBegun.store(true, ordering: .releasing)
  }

  /// Whether this process adopts orphans.
  package static var isOn: Bool { isBegun.load(ordering: .acquiring) }

  /// The processes left by a worker whose guardian died, too.
  package struct Orphans: Sendable {
    let worker: Int32
    let command: Int32?
    package let hasUnannounced: Bool

    /// The worker's own process, that of the command that it announced, and whether it may have
    /// started one that it has not announced.
    package init(worker: Int32, command: Int32?, hasUnannounced: Bool) {
      (self.worker, self.command, self.hasUnannounced) = (worker, command, hasUnannounced)
    }
  }

  /// Ends the processes that a worker's command has left, and waits for a limited time.
  ///
  /// `known` are all children that this process has started itself. None may be started meanwhile.
  package static func end(_ orphans: Orphans, known: Set<Int32>, within nanoseconds: Int64) {
    // The worker may still be dying; until then its children are not here.
    if orphans.worker > 1, !known.contains(orphans.worker),
      opool_parent_of(orphans.worker) == getpid()
    {
      _ = opool_end_child(orphans.worker, nanoseconds)
    }
    end(orphans, beside: known, until: MonotonicClock.now + nanoseconds)
    reap(beside: known)
  }

  /// Ends orphans in rounds: the children of ended ones come here in turn, and each look finds only
  /// those of one moment.
  private static func end(_ orphans: Orphans, beside known: Set<Int32>, until deadline: Int64) {
    var emptyLooks = 0
    var command: AdoptedProcess?
    while emptyLooks < 2, MonotonicClock.now < deadline {
      let children = look(beside: known)
      // Remembered, because it is gone in the next round.
      command = command ?? self.command(of: orphans, among: children)
      let victims = command.map { AdoptedProcess.left(by: $0, among: children) } ?? []
      for victim in victims { ProcessSignal.kill.send(toProcess: victim.identifier) }
      // One that does not end delays the others, but no longer than the deadline.
      let ended = victims.filter {
        opool_end_child($0.identifier, max(deadline - MonotonicClock.now, 0)) != 0
      }
      // Processes of another user cannot be signalled.
      if ended.isEmpty, !victims.isEmpty { return }
      emptyLooks = victims.isEmpty ? emptyLooks + 1 : 0
      if emptyLooks == 1 { MonotonicClock.sleep(nanoseconds: .milliseconds(1)) }
    }
  }

  private static func command(of orphans: Orphans, among children: [AdoptedProcess])
    -> AdoptedProcess?
  {
    let announced = orphans.command.flatMap { number in seen.withLock { $0.processes[number] } }
    guard announced == nil, orphans.hasUnannounced else { return announced }
    return AdoptedProcess.unannouncedCommand(among: children)
  }

  /// Reaps ended processes that this process has not started itself.
  package static func reap(beside known: Set<Int32>) {
    for stranger in look(beside: known) { opool_reap_orphan(stranger.identifier) }
  }

  /// Orphans that were seen recently.
  ///
  /// If several workers die together, the command of one may be gone before its turn.
  private struct Seen {
    var processes: [Int32: AdoptedProcess] = [:]
    var end: Int64 = 0
  }

  private static let seen = Mutex(Seen())
  /// How long they are remembered: 5 s, in which the system hardly reuses a number.
  private static let memory = Int64.seconds(5)

  /// All children that this process has not started itself; remembers them for a while.
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

  /// Whether SIGKILL has ended the child, or something is about to: the command of a worker that
  /// was killed has got its death signal by now, but may not have got a processor since.
  private static func isKilled(_ child: Int32) -> Bool {
    guard let ending = ProcessStatus.ending(ofChild: child) else {
      return ProcessStatus.isBeingKilled(child)
    }
    return ending == .signaled(SIGKILL)
  }

  private static func facts(_ child: Int32) -> AdoptedProcess? {
    guard let start = ProcessStatus.startTime(of: child) else { return nil }
    return AdoptedProcess(
      identifier: child,
      start: start,
      group: getpgid(child),
      session: getsid(child),
      isKilled: isKilled(child),
      isForeign: ProcessStatus.isForeign(child)
    )
  }
}
