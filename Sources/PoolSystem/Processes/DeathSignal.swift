import CPoolSystem

/// Signals this process when its parent ends.
package enum DeathSignal {
  /// Makes the kernel send this process the signal when the thread that started it ends.
  ///
  /// Returns false if the parent is no longer the expected one, so that no signal will come. The
  /// number alone does not decide that: 1 is a dead parent's successor, or a parent that is a
  /// container's first process.
  package static func arm(_ signal: ProcessSignal, parent: Int32) -> Bool {
    // If the system has no such signal, the end of the input must do.
    _ = opool_set_death_signal(signal.number)
    return CurrentProcess.parent == parent
  }
}
