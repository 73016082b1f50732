import CPoolSystem

/// Ends a process group when a signal of its parent ends this process.
package enum GroupCleanup {
  /// From here on, the parent's SIGTERM kills the guarded group before it ends this process.
  ///
  /// So does the end of the parent, even if this process was stopped. While a guardian lives, this
  /// signal of another process has no effect, and neither have others that programs send to end a
  /// process.
  package static func install() {
    let guardian = opool_own_guardian()
    _ = opool_install_cleanup(guardian == 0 ? CurrentProcess.parent : guardian)
  }

  /// From here on, the signals of other processes end this process, too: its coordinator may be on
  /// another machine, and does not get them.
  package static func obeyOthers() {
    opool_obey_others()
  }

  /// Spawns the leader of a new group and guards it from its first moment on.
  ///
  /// A SIGTERM waits meanwhile: the command may execute before its number is known here.
  package static func spawn<Failure: Error>(
    _ leader: () throws(Failure) -> CommandProcess
  ) throws(Failure) -> CommandProcess {
    let mask = SignalMask.full.apply()
    defer { SignalMask.apply(mask) }
    opool_set_cleanup_group(OPOOL_GROUP_TO_COME)
    do throws(Failure) {
      let process = try leader()
      opool_set_cleanup_group(process.identifier)
      return process
    } catch {
      opool_set_cleanup_group(0)
      throw error
    }
  }

  /// Stops the guarded group, and each that will be guarded until ``proceed()``.
  package static func stop() { opool_stop_group(1) }

  /// Continues the guarded group.
  package static func proceed() { opool_stop_group(0) }

  /// Nanoseconds for which groups were stopped so far, by the monotonic clock.
  package static var stoppedTime: Int64 { opool_stopped_time() }

  /// The leader was reaped; the rest of its group must still end with this process.
  package static func noteReaped() {
    opool_set_cleanup_group(OPOOL_GROUP_GONE)
  }

  /// Stops guarding.
  package static func release() {
    opool_set_cleanup_group(0)
  }
}
