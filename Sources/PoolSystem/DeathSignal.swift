import CPoolSystem

/// What happens to this process when its parent ends without a word.
package enum DeathSignal {
  /// Has the kernel send this process the signal when the thread that started it ends.
  ///
  /// Returns false where that thread's process is gone already, so that no signal will come.
  package static func arm(_ signal: ProcessSignal) -> Bool {
    let parent = CurrentProcess.parent
    // Where the system has no such signal, the end of the input has to do.
    _ = opool_set_death_signal(signal.number)
    return parent != 1 && CurrentProcess.parent == parent
  }
}

/// The process group that ends when SIGTERM ends this process.
package enum GroupGuard {
  /// From here on, SIGTERM ends the guarded group by SIGKILL before it ends this process.
  package static func install() {
    _ = opool_install_group_guard()
  }

  /// Names the group, or none.
  package static func guardGroup(_ group: Int32?) {
    opool_guard_group(group ?? 0)
  }
}
