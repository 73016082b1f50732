import CPoolSystem

/// The process that outlives a worker and ends what it leaves.
///
/// It is the worker's parent: whatever is orphaned below the worker becomes its child, wherever it
/// went, so that its coordinator sees a worker's end only when nothing of it lives.
package enum Guardian {
  /// Has this process go on as the child of its guardian; to be called while there is one thread.
  ///
  /// Where the system has no means for that, or no room for a process, it goes on without one. No
  /// later run opens the journal while either lives.
  package static func begin(holding journal: [UInt8]? = nil) {
    _ = withPath(journal) { opool_fork_guarded($0) }
  }

  /// Makes this process ready to guard what it starts; false where the system has no means.
  package static func prepare(holding journal: [UInt8]? = nil) -> Bool {
    withPath(journal) { opool_prepare_guarding($0) } == 0
  }

  private static func withPath(
    _ path: [UInt8]?,
    _ body: (UnsafePointer<CChar>?) -> Int32
  ) -> Int32 {
    path?.withCString(body) ?? body(nil)
  }

  /// The process that guards, or executes, what an earlier run has begun, and so keeps this one
  /// from the journal; nil where there is none, and -1 where its number is not known.
  package static func holder(ofJournal descriptor: Int32) -> Int32? {
    let holder = opool_holder_of(descriptor)
    return holder == 0 ? nil : holder
  }

  /// Has a guardian go on, or that of a worker, if it was stopped.
  package static func wake(_ process: Int32) {
    let guardian = isOne(process) ? process : opool_parent_of(process)
    if isOne(guardian) { _ = opool_wake_guardian(guardian) }
  }

  /// Guards a worker of another program until both end.
  package static func guardForeign(_ worker: CommandProcess, for parent: Int32) -> Never {
    opool_guard_worker(worker.identifier, parent, 1)
  }

  /// Whether a child of this process is a guardian.
  package static func isOne(_ child: Int32) -> Bool { opool_is_guardian(child) != 0 }

  /// Sends a signal to the worker that a child of this process is, or guards, and to its group.
  ///
  /// A guardian that is asked to kill ends all that the worker has started, too.
  package static func send(_ signal: ProcessSignal, toWorkerOf child: Int32) {
    if isOne(child), opool_ask_guardian(child, signal.number) == 0 { return }
    // Foundation makes each child the leader of a group of its own.
    signal.send(toGroup: child)
  }
}
