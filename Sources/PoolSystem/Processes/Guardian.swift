import CPoolSystem

/// The process that outlives a worker and ends the processes that the worker leaves.
///
/// It is the worker's parent: orphans below the worker become its children, in whatever group or
/// session. So a coordinator sees a worker's end only when no process of it lives.
package enum Guardian {
  /// Makes this process continue as the child of its guardian; call it while there is one thread.
  ///
  /// If the system does not support that, or cannot start a process, it continues without a
  /// guardian. No later run opens the journal while either lives.
  ///
  /// `opool-worker` has done it before any Swift code, where its C library passes arguments to
  /// initialisers. Elsewhere Swift may know the thread by the number that it had before the fork,
  /// and threads that compete for one of Swift's locks could wait for ever.
  package static func begin(holding journal: [UInt8]? = nil) {
    _ = withPath(journal) { opool_fork_guarded($0) }
  }

  /// Makes this process ready to guard its children; false if the system does not support that.
  package static func prepare(holding journal: [UInt8]? = nil) -> Bool {
    withPath(journal) { opool_prepare_guarding($0) } == 0
  }

  private static func withPath(
    _ path: [UInt8]?,
    _ body: (UnsafePointer<CChar>?) -> Int32
  ) -> Int32 {
    path?.withCString(body) ?? body(nil)
  }

  /// The process of an earlier run that keeps the journal locked, a guardian or a worker; nil if
  /// there is none, -1 if its number is unknown.
  package static func holder(ofJournal descriptor: Int32) -> Int32? {
    let holder = opool_holder_of(descriptor)
    return holder == 0 ? nil : holder
  }

  /// Continues a guardian that was stopped, or that of a worker.
  package static func wake(_ process: Int32) {
    let guardian = isOne(process) ? process : opool_parent_of(process)
    if isOne(guardian) { _ = opool_wake_guardian(guardian) }
  }

  /// Guards a worker of another program until both end.
  package static func guardForeign(_ worker: CommandProcess, for parent: Int32) -> Never {
    opool_guard_worker(worker.identifier, parent, 1)
  }

  /// Whether the guardian of this process has seen the coordinator's end; costs no system call.
  ///
  /// That is earlier than the end of the input: the system closes the pipes of a killed process
  /// when it has freed its memory, which takes 200 ms for a million operations.
  package static var sawCoordinatorEnd: Bool { opool_guardian_saw_end() != 0 }

  /// Whether this process has one.
  package static var exists: Bool { opool_own_guardian() != 0 }

  /// Whether a child of this process is a guardian.
  package static func isOne(_ child: Int32) -> Bool { opool_is_guardian(child) != 0 }

  /// Signals the worker that a child of this process is, or guards, and the worker's group.
  ///
  /// A guardian that is asked to kill ends all descendants of the worker, too.
  package static func send(_ signal: ProcessSignal, toWorkerOf child: Int32) {
    if isOne(child), opool_ask_guardian(child, signal.number) == 0 { return }
    // Foundation makes each child the leader of its own group.
    signal.send(toGroup: child)
  }
}
