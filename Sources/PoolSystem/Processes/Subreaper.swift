import CPoolSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// What commands have started and outlive them, wherever it went: into other groups and sessions
/// too.
///
/// While a command is executed this process adopts its orphans: where a process below it ends, the
/// children of that one become children of this one, and none can get away. Only for a process
/// whose other children are none of anybody's: all of them are reaped here, and may be killed.
package final class Subreaper: Sendable {
  private struct State {
    /// What was left alone by operations that have ended.
    var spared = SparedProcesses()
    /// Whether orphans are still adopted although nothing is executed: as long as there is nobody
    /// below this process, there is nothing to be adopted either.
    var staysReady = false
  }

  private let state = Monitor(State())

  /// Nil where the system does not have orphans adopted.
  package init?() {
    guard opool_adopt_orphans(1) == 0, opool_adopt_orphans(0) == 0 else { return nil }
  }

  /// From here on orphans are adopted; those that are here by now are left alone.
  package func beginAdopting() {
    state.withLock { state in
      guard !state.staysReady else { return }
      _ = opool_reap_ended()
      state.spared = SparedProcesses()
      state.spared.note(Self.leftovers)
      state.spared.withList { opool_spare(&$0) }
      _ = opool_adopt_orphans(1)
    }
    opool_guard_children(1)
  }

  /// Orphans are adopted no longer; those that are here are left alone.
  ///
  /// Returns whether there are none: then nobody is left who was started since that began.
  @discardableResult
  package func endAdopting() -> Bool {
    opool_guard_children(0)
    return state.withLock { state in
      state.staysReady = opool_reap_ended() == 0
      guard !state.staysReady else { return true }
      _ = opool_adopt_orphans(0)
      _ = opool_reap_ended()
      return false
    }
  }

  /// Reaps orphans that end, until a command has ended, which is left as it is.
  package func reap(untilEndOf process: CommandProcess) {
    while true {
      let ended = opool_await_any_end()
      if ended == process.identifier { return process.noteEnd() }
      if ended > 0 { opool_reap_orphan(ended) } else if errno != EINTR { return }
    }
  }

  /// Kills all orphans that were adopted since that began, and what they have started, and waits
  /// for their end, but not for ever: who does not end in time is up to the system.
  ///
  /// The command has ended; where it has not been reaped, it is left to whoever does so.
  package func kill(within nanoseconds: Int64, sparing command: CommandProcess? = nil) {
    var spared = state.withLock { $0.spared }
    if let command { spared.processes.append(command.identifier) }
    guard !spared.processes.isEmpty else {
      opool_end_children(nil, nanoseconds)
      return
    }
    spared.withList { _ = opool_end_children(&$0, nanoseconds) }
  }

  /// What commands have left here, and what of it was orphaned while this process adopted nobody:
  /// that is a child of the guardian, as this process is.
  private static var leftovers: [pid_t] {
    let guardian = opool_own_guardian()
    let strangers =
      guardian == 0 ? [] : ProcessStatus.children(of: guardian).filter { $0 != getpid() }
    return ProcessStatus.children(of: getpid()) + strangers
  }
}
