import CPoolSystem
import Synchronization

/// A thread of the usual priority that makes calls for threads of a lowered priority.
///
/// A lowered thread that takes a lock and then loses its processor delays other threads that want
/// the lock, for a second or more on a busy processor. On Linux the threads that it starts have its
/// low priority, perhaps forever.
///
/// A process has one such thread, from the first time that a thread is lowered. If it cannot be
/// started, no thread is lowered.
package enum NormalPriorityThread {
  private static let calls = Mailbox<DelegatedCall>()
  private static let isPresent = Atomic(false)
  private static let starting = Mutex(())

  /// Makes the thread if there is none; false if it cannot be made.
  ///
  /// A lowered thread does not make it: it would have the low priority.
  package static func startIfNeeded() -> Bool {
    if isPresent.load(ordering: .acquiring) { return true }
    guard !ThreadPriority.isLowered else { return false }
    return starting.withLock { _ in
      guard !isPresent.load(ordering: .relaxed) else { return true }
      let thread = try? SystemThread.start(name: "opool-normal", mask: .full) {
        while true {
          for call in calls.takeAll() { call.run() }
        }
      }
      guard let thread else { return false }
      thread.detach()
      isPresent.store(true, ordering: .releasing)
      return true
    }
  }

  /// Called before a lock is taken that other threads want: fails in debug builds if the calling
  /// thread was lowered for an operation.
  package static func assertNotLowered() {
    assert(opool_is_lowered() < 2, "a lowered thread takes a lock that others want")
  }

  /// Executes the body, on this thread unless that was lowered, and waits for its end.
  @inline(__always)
  package static func execute<Value, Failure: Error>(
    _ body: () throws(Failure) -> sending Value
  ) throws(Failure) -> sending Value {
    guard ThreadPriority.isLowered, isPresent.load(ordering: .acquiring) else { return try body() }
    return try delegate(body)
  }

  @inline(never)
  private static func delegate<Value, Failure: Error>(
    _ body: () throws(Failure) -> sending Value
  ) throws(Failure) -> sending Value {
    var result: Result<Value, Failure>?
    perform {
      do throws(Failure) {
        result = .success(try body())
      } catch {
        result = .failure(error)
      }
    }
    switch result {
    case .success(let value):
      // Made for this thread; no other one has it.
      nonisolated(unsafe) let value = value
      return value
    case .failure(let error): throw error
    case nil: preconditionFailure("the call has returned without a result")
    }
  }

  /// Calls the body on the thread, and returns after that.
  private static func perform(_ body: () -> Void) {
    let isDone = Semaphore()
    withoutActuallyEscaping(body) { body in
      var body = body
      withUnsafeMutablePointer(to: &body) { place in
        let call: @convention(c) (UnsafeMutableRawPointer) -> Void = { place in
          place.assumingMemoryBound(to: (() -> Void).self).pointee()
        }
        calls.put(DelegatedCall(body: call, context: place, isDone: isDone))
        isDone.wait()
      }
    }
  }
}

/// A call that another thread waits for.
///
/// `@unchecked Sendable`: only the call uses the context until it is done.
private struct DelegatedCall: @unchecked Sendable {
  let body: @convention(c) (UnsafeMutableRawPointer) -> Void
  let context: UnsafeMutableRawPointer
  /// Signalled when it is done.
  let isDone: Semaphore

  func run() {
    // A C function; nothing here uses the context after it.
    body(context)
    isDone.signal()
  }
}
