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

  /// Ends the processes that the commands of workers have left, all at once, and waits for a
  /// limited time in all.
  ///
  /// Calls the closure with the place of each of them when nothing is left of it, or when the time
  /// is over. `known` are all children that this process has started itself. None may be started
  /// meanwhile.
  package static func end(
    _ remains: [Orphans],
    known: Set<Int32>,
    within nanoseconds: Int64,
    ended: (Int) -> Void
  ) {
    let deadline = MonotonicClock.now + nanoseconds
    // A worker may still be dying; until then its children are not here.
    let workers = remains.map(\.worker).filter {
      $0 > 1 && !known.contains($0) && opool_parent_of($0) == getpid()
    }
    for worker in workers { ProcessSignal.kill.send(toProcess: worker) }
    for worker in workers { _ = opool_end_child(worker, max(deadline - MonotonicClock.now, 0)) }
    var rounds = remains.map { OrphanRounds(of: $0) }
    while rounds.contains(where: { !$0.isOver }), MonotonicClock.now < deadline {
      endRound(of: &rounds, beside: known, until: deadline, ended)
    }
    for place in rounds.indices where !rounds[place].isOver { ended(place) }
    reap(beside: known)
  }

  /// The rounds in which the orphans of one worker are ended: the children of ended ones come here
  /// in turn, and each look finds only those of one moment.
  private struct OrphanRounds {
    let orphans: Orphans
    /// Remembered, because it is gone in the next round.
    var command: AdoptedProcess?
    var emptyLooks = 0
    /// Whether nothing is left, or what is left cannot be signalled.
    var isOver = false

    init(of orphans: Orphans) { self.orphans = orphans }
  }

  private static func endRound(
    of rounds: inout [OrphanRounds],
    beside known: Set<Int32>,
    until deadline: Int64,
    _ ended: (Int) -> Void
  ) {
    let children = look(beside: known)
    var victims: [Int: [Int32]] = [:]
    for place in rounds.indices where !rounds[place].isOver {
      let command = rounds[place].command ?? command(of: rounds[place].orphans, among: children)
      rounds[place].command = command
      let left = command.map { AdoptedProcess.left(by: $0, among: children) } ?? []
      victims[place] = left.map(\.identifier)
    }
    let pause = MonotonicClock.now + roundLength
    let killed = kill(Set(victims.values.joined()), until: min(pause, deadline))
    for place in rounds.indices where !rounds[place].isOver {
      let own = victims[place] ?? []
      rounds[place].emptyLooks = own.isEmpty ? rounds[place].emptyLooks + 1 : 0
      // Processes of another user cannot be signalled.
      let isStuck = !own.isEmpty && killed.isDisjoint(with: own)
      rounds[place].isOver = isStuck || rounds[place].emptyLooks == 2
      if rounds[place].isOver { ended(place) }
    }
    if victims.values.allSatisfy(\.isEmpty) {
      MonotonicClock.sleep(nanoseconds: .milliseconds(1))
    }
  }

  /// How long a round waits for those that it kills: 100 ms.
  ///
  /// One that does not end, because of its disk, delays the others no longer.
  private static let roundLength = Int64.milliseconds(100)

  /// Kills children, and waits a while for their ends; returns those that could be signalled.
  private static func kill(_ children: Set<Int32>, until deadline: Int64) -> Set<Int32> {
    // All get the signal before the first is waited for.
    let killed = children.filter { ProcessSignal.kill.send(toProcess: $0) }
    for child in killed { _ = opool_end_child(child, max(deadline - MonotonicClock.now, 0)) }
    return killed
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
