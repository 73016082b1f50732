import CPoolSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Processes that commands start and that outlive them, in any group or session.
///
/// While a command executes, this process adopts its orphans: if a process below it ends, the
/// children of that one become children of this one, so that none escapes. Only for a process whose
/// other children may all be reaped and killed here.
package final class Subreaper: Sendable {
  private struct State {
    /// Processes that earlier operations have left on purpose.
    var spared = SparedProcesses()
    /// Whether adoption stays on although nothing executes: without processes below this one, it
    /// has no effect.
    var staysReady = false
  }

  private let state = Monitor(State())

  /// Nil if the system cannot adopt orphans.
  package init?() {
    guard opool_adopt_orphans(1) == 0, opool_adopt_orphans(0) == 0 else { return nil }
  }

  /// Adopts orphans from here on; the present ones are spared.
  package func beginAdopting() {
    state.withLock { state in
      guard !state.staysReady else { return }
      _ = opool_reap_ended()
      state.spared = SparedProcesses()
      state.spared.note(Self.leftovers)
      state.spared.withList { opool_spare(&$0) }
      _ = opool_adopt_orphans(1)
    }
    opool_set_cleanup_children(1)
  }

  /// Stops adopting orphans; the present ones are spared.
  ///
  /// Returns whether there are none: then every process that was started since has ended.
  @discardableResult
  package func endAdopting() -> Bool {
    opool_set_cleanup_children(0)
    return state.withLock { state in
      state.staysReady = opool_reap_ended() == 0
      guard !state.staysReady else { return true }
      _ = opool_adopt_orphans(0)
      _ = opool_reap_ended()
      return false
    }
  }

  /// Whether no process is left of the commands so far; reaps those that have ended.
  package var isAlone: Bool { opool_reap_ended() == 0 }

  /// Whether a process that was adopted since the start, or a descendant of one, is runnable or
  /// waits for a disk.
  package var isBusy: Bool {
    let spared = state.withLock { $0.spared.processes }
    return ProcessStatus.children(of: getpid()).contains {
      !spared.contains($0) && ProcessStatus.isBusy($0)
    }
  }

  /// Kills all orphans adopted since the start, with their descendants, and waits for their end for
  /// a limited time.
  ///
  /// The command has ended; if it is not reaped, its owner must still do that.
  package func kill(within nanoseconds: Int64, sparing command: CommandProcess? = nil) {
    var spared = state.withLock { $0.spared }
    if let command { spared.processes.append(command.identifier) }
    guard !spared.processes.isEmpty else {
      opool_end_children(nil, nanoseconds)
      return
    }
    spared.withList { _ = opool_end_children(&$0, nanoseconds) }
  }

  /// Processes that commands have left: children of this process, and those orphaned while it did
  /// not adopt, which are children of the guardian, as this process is.
  private static var leftovers: [pid_t] {
    let guardian = opool_own_guardian()
    let strangers =
      guardian == 0 ? [] : ProcessStatus.children(of: guardian).filter { $0 != getpid() }
    return ProcessStatus.children(of: getpid()) + strangers
  }
}
