import PoolModel
import PoolSystem
import PoolWire
import Synchronization

// Methods for executing operations.
extension CoordinatorConnection {
  /// The coordinator's `welcome`.
  var welcome: Welcome? { shared.withLock { $0.machine.welcome } }

  /// The worker's numbers in the `welcome`.
  var place: WorkerPlace? {
    shared.withLock { shared in
      shared.machine.welcome.map { WorkerPlace(worker: $0.worker, slot: $0.slot) }
    }
  }

  /// Whether the coordinator may be on another machine.
  var isBehindLink: Bool { shared.withLock { $0.machine.isBehindLink } }

  /// What renews the lease; nil if this worker has none.
  var lease: LeaseKeeper? { shared.withLock { $0.lease } }

  /// When the executing operation was first asked to stop, by the monotonic clock.
  var cancelledAt: Int64? { shared.withLock { $0.machine.execution?.stop?.since } }

  /// Whether the input has ended, and with it this process in a moment.
  var isInputEnded: Bool { shared.withLock { $0.machine.ending?.isInputEnded ?? false } }

  /// Waits while the thread that has seen the end of the input ends this process.
  func waitForExit() -> Never {
    shared.wait(while: { _ in true }, then: { _ in })
    preconditionFailure("a wait without an end has ended")
  }

  /// The executing operation is about to start a process.
  ///
  /// It must call `register` or `abandonSpawn` soon: the end of the input waits for that, so that
  /// the worker leaves behind neither a process nor the files prepared for it.
  func prepareSpawn() { shared.withLock { $0.machine.prepareSpawn() } }

  /// No process is about to be started any more.
  func abandonSpawn() {
    if shared.withLock({ $0.machine.abandonSpawn() }) { shared.broadcast() }
  }

  /// Resets this process's peak of memory if it may be that of a large frame: the system would
  /// count it as that of the next command.
  func forgetPeakOfLargeFrame() {
    // Otherwise it is about this process's size, and a reset takes three system calls.
    guard hasReadLargeFrame.load(ordering: .relaxed) else { return }
    hasReadLargeFrame.store(false, ordering: .relaxed)
    UsageMeter.forgetPeak()
  }

  /// Stores how to stop the executing operation, and stops it if that was already requested.
  func register(_ handle: CancelHandle, for reference: DispatchReference) {
    let sequence = NormalPriorityThread.execute {
      NormalPriorityThread.assertNotLowered()
      return shared.withLock { $0.machine.register(handle, for: reference) }
    }
    shared.broadcast()
    if let sequence { handle.ask(sequence) }
  }

  /// Holds a file open until the coordinator has copied it.
  func keep(_ file: Int32, for reference: DispatchReference) {
    shared.withLock { $0.files[reference, default: []].append(file) }
  }

  /// Closes the files of a dispatch, which the coordinator has copied.
  func release(_ reference: DispatchReference) {
    let files = shared.withLock { $0.files.removeValue(forKey: reference) }
    for file in files ?? [] { Descriptors.close(file) }
    shared.broadcast()
  }

  /// Waits until all files are released, at most until the deadline; returns whether they are.
  func waitForRelease(until deadline: Int64) -> Bool {
    shared.wait(until: deadline) { !$0.files.isEmpty }
  }
}

/// The number of a worker, and of the slot that its commands have.
struct WorkerPlace: Equatable {
  let worker: WorkerID
  let slot: Int?
}
