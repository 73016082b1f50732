import PoolModel
import PoolSystem
import PoolWire
import Synchronization

/// One conversation with a coordinator: what its two threads share.
///
/// The executor works (`WorkerLoop`), the `IOThread` is there while that takes long; whichever of
/// them has the turn reads (`InputReader`), and both speak through `output`.
final class WorkerSession: Sendable {
  let inbox = Monitor(WorkerInbox())
  private let input: Mutex<InputReader>
  /// Whether what executes starts a process.
  let startsProcesses = Atomic(false)
  /// Calls the I/O thread.
  private let wakeUp = Monitor(false)
  let output: FrameOutput
  let files = KeptFiles()
  /// What commands leave behind; nil where this worker's children may be somebody's.
  let subreaper: Subreaper?

  /// The dispatch that was asked to stop; no dispatch has the number that it starts with.
  private let cancelled = Atomic<UInt64>(.max)
  /// When it was first asked.
  private let cancelTime = Atomic<Int64>(0)

  init(_ streams: StandardStreams, subreaper: Subreaper? = nil) {
    input = Mutex(InputReader(descriptor: streams.input))
    output = FrameOutput(descriptor: streams.output)
    self.subreaper = subreaper
  }

  /// Waits for something to read, and deals with it; false where no more will come, which the
  /// session knows then.
  func read() -> Bool {
    if input.withLock({ $0.read(for: self) }) { return true }
    // What goes on executing after a failure is told to stop at the end of the input.
    if inbox.withLock({ $0.executing != nil }) { input.withLock { $0.skipRest() } }
    endInput()
    return false
  }

  /// Deals with what there is to read by now, for the executor before it executes; false where no
  /// more will come.
  func glance() -> Bool {
    if input.withLock({ $0.glance(for: self) }) { return true }
    // Nothing was begun that had to be stopped: the executor ends by itself.
    inbox.withLock { $0.end() }
    return false
  }

  /// Calls the I/O thread where it rests.
  func callIOThread() {
    wakeUp.withLock { $0 = true }
    wakeUp.signal()
  }

  /// Waits for that call.
  func awaitCall() {
    wakeUp.wait(while: { !$0 }, then: { $0 = false })
  }

  /// Whether the operation was asked to stop; cheap enough for an inner loop.
  func isCancelled(_ dispatch: DispatchNumber) -> Bool {
    cancelled.load(ordering: .relaxed) == dispatch.rawValue
  }

  /// When the operation that was asked to stop last was first asked, by the monotonic clock.
  var cancelledAt: Int64 { cancelTime.load(ordering: .relaxed) }

  private func noteCancelled(_ dispatch: DispatchNumber) {
    guard !isCancelled(dispatch) else { return }
    cancelTime.store(MonotonicClock.now, ordering: .relaxed)
    cancelled.store(dispatch.rawValue, ordering: .relaxed)
  }

  /// Asks an operation to stop, if it is held or executes.
  func cancel(
    _ reference: DispatchReference,
    _ teardown: PoolTeardownSequence
  ) throws(SystemFailure) {
    var handle: StopHandle?
    var isExecuting = false
    try output.send {
      let target = inbox.withLock { inbox in
        handle = inbox.handle
        let target = inbox.cancel(reference, teardown)
        if target == .executing { noteCancelled(reference.dispatch) }
        return target
      }
      isExecuting = target == .executing
      return target == .held ? .cancelled(reference, Answer(), step: nil) : nil
    }
    if isExecuting { handle?.ask(teardown) }
  }

  /// Gives an operation back, if it is held.
  func recall(_ reference: DispatchReference) throws(SystemFailure) {
    try output.send { inbox.withLock { $0.recall(reference) } ? .returned(reference) : nil }
  }

  /// Learns how to stop the executing operation, and does so if it was asked to already.
  func register(_ handle: StopHandle, for reference: DispatchReference) {
    let teardown = Deputy.execute {
      Deputy.assertNotNeeded()
      return inbox.withLock { $0.register(handle, for: reference) }
    }
    inbox.broadcast()
    if let teardown { handle.ask(teardown) }
  }

  /// Says that the executing operation is about to start a process.
  ///
  /// It must call `register` or `abandonSpawn` soon: the end of the input waits for that, so that
  /// the worker never leaves a process behind, nor what it prepared for one.
  func prepareSpawn() {
    inbox.withLock { $0.isSpawning = true }
  }

  /// Says that no process is about to be started any more.
  func abandonSpawn() {
    inbox.withLock { $0.isSpawning = false }
    inbox.broadcast()
  }

  /// The worker must stop: what executes is stopped too.
  func fail(_ failure: PoolWorkerError) {
    let (executing, handle) = inbox.withLock { inbox in
      inbox.fail(failure)
      return (inbox.executing, inbox.handle)
    }
    inbox.broadcast()
    if let executing { noteCancelled(executing.dispatch) }
    handle?.ask(.immediate)
  }

  /// No more input will come: the worker ends, and takes along what it executes.
  ///
  /// An executor that works cannot be made to return, so that the process ends under it.
  func endInput() {
    let (isBusy, handle, failure) = inbox.wait(
      while: { $0.isSpawning },
      then: { inbox in
        inbox.end()
        return (inbox.executing != nil, inbox.handle, inbox.failure)
      }
    )
    inbox.broadcast()
    guard isBusy else { return }
    handle?.kill()
    CurrentProcess.endNow(failure == nil ? 0 : 70)
  }
}
