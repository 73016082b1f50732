import CPoolSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// What commands have started and outlive them, wherever it went: into other groups and sessions too.
///
/// While a command is executed this process adopts its orphans: where a process below it ends, the
/// children of that one become children of this one, and none can get away. Only for a process whose
/// other children are none of anybody's: all of them are reaped here, and may be killed.
package final class Orphans: Sendable {
  /// Who was left alone by an operation that has ended, and all of their groups and sessions.
  private struct Spared {
    var processes: [pid_t] = []
    var groups: [pid_t] = []
    var sessions: [pid_t] = []

    /// Adds processes, and the groups and sessions that they have for themselves.
    mutating func note(_ children: [pid_t]) {
      processes = children
      let (ownGroup, ownSession) = (getpgrp(), getsid(0))
      for child in children {
        let (group, session) = (getpgid(child), getsid(child))
        if group > 0, group != ownGroup, !groups.contains(group) { groups.append(group) }
        if session > 0, session != ownSession, !sessions.contains(session) {
          sessions.append(session)
        }
      }
    }
  }

  private let spared = Monitor(Spared())

  /// Nil where the system does not have orphans adopted.
  package init?() {
    guard opool_adopt_orphans(1) == 0, opool_adopt_orphans(0) == 0 else { return nil }
  }

  /// From here on orphans are adopted; those that are here by now are nobody's concern.
  package func beginAdopting() {
    let areAnyHere = opool_reap_ended() == 1
    spared.withLock { spared in
      if areAnyHere { spared.note(Self.children) } else { spared = Spared() }
    }
    _ = opool_adopt_orphans(1)
    // The guard knows of nobody who is to be spared.
    opool_guard_children(areAnyHere ? 0 : 1)
  }

  /// Orphans are adopted no longer; those that are here are left alone.
  package func endAdopting() {
    opool_guard_children(0)
    _ = opool_adopt_orphans(0)
    _ = opool_reap_ended()
  }

  /// Reaps orphans that end, until a command has ended, which is left as it is.
  package func reap(untilEndOf process: CommandProcess) {
    while true {
      let ended = opool_await_any_end()
      if ended == process.identifier { break }
      if ended > 0 { opool_reap_orphan(ended) } else if errno != EINTR { break }
    }
  }

  /// Kills all orphans that were adopted since that began, and what they have started, and waits for
  /// their end, but not for ever: who does not end in time is up to the system.
  ///
  /// The command has ended; where it has not been reaped, it is left to whoever does so.
  package func kill(within nanoseconds: Int64, sparing command: CommandProcess? = nil) {
    var spared = spared.withLock { $0 }
    if let command { spared.processes.append(command.identifier) }
    guard !spared.processes.isEmpty else {
      opool_end_children(nil, nanoseconds)
      return
    }
    spared.processes.withUnsafeBufferPointer { processes in
      spared.groups.withUnsafeBufferPointer { groups in
        spared.sessions.withUnsafeBufferPointer { sessions in
          var list = opool_spared()
          (list.processes, list.process_count) = (processes.baseAddress, Int32(processes.count))
          (list.groups, list.group_count) = (groups.baseAddress, Int32(groups.count))
          (list.sessions, list.session_count) = (sessions.baseAddress, Int32(sessions.count))
          opool_end_children(&list, nanoseconds)
        }
      }
    }
  }

  private static var children: [pid_t] {
    var capacity = 64
    while true {
      var count = 0
      let children = [pid_t](unsafeUninitializedCapacity: capacity) { buffer, filled in
        count = Int(opool_list_children(buffer.baseAddress, Int32(capacity)))
        filled = min(count, capacity)
      }
      if count <= capacity { return children }
      capacity = count * 2
    }
  }
}
