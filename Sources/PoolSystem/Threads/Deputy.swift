import CPoolSystem
import Synchronization

/// A thread of the usual priority that does what a lowered thread must not do itself.
///
/// A lowered thread that takes a lock and then loses its processor holds up whoever wants the lock,
/// for a second and more where the processor is busy. And on Linux the threads that it makes are as
/// low as it is, and may stay so for ever.
///
/// There is one in a process, from the first time that a thread is lowered. Where no thread can be
/// made, none is lowered.
package enum Deputy {
  private static let errands = Mailbox<Errand>()
  private static let isPresent = Atomic(false)
  private static let turn = Mutex(())

  /// Makes sure that the thread is there; false where it cannot be made.
  ///
  /// A lowered thread does not make it: it would be as low.
  package static func summon() -> Bool {
    if isPresent.load(ordering: .acquiring) { return true }
    guard !ThreadPriority.isLowered else { return false }
    return turn.withLock { _ in
      guard !isPresent.load(ordering: .relaxed) else { return true }
      let thread = try? SystemThread.start(name: "opool-deputy", mask: .full) {
        while true {
          for errand in errands.takeAll() { errand.run() }
        }
      }
      guard let thread else { return false }
      thread.detach()
      isPresent.store(true, ordering: .releasing)
      return true
    }
  }

  /// Called where a lock is taken that others want: says, in debug builds, that a thread was
  /// lowered for an operation and does not leave this to the deputy.
  package static func assertNotNeeded() {
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
      // Made for this thread, where nobody else has it.
      nonisolated(unsafe) let value = value
      return value
    case .failure(let error): throw error
    case nil: preconditionFailure("an errand was done that is waited for")
    }
  }

  /// Has the deputy call the body, and returns when it has.
  private static func perform(_ body: () -> Void) {
    let isDone = Semaphore()
    withoutActuallyEscaping(body) { body in
      var body = body
      withUnsafeMutablePointer(to: &body) { place in
        let call: @convention(c) (UnsafeMutableRawPointer) -> Void = { place in
          place.assumingMemoryBound(to: (() -> Void).self).pointee()
        }
        errands.put(Errand(body: call, context: place, isDone: isDone))
        isDone.wait()
      }
    }
  }
}

/// Something for the deputy to do.
///
/// `@unchecked Sendable`: the context is the errand's alone until that is done.
private struct Errand: @unchecked Sendable {
  let body: @convention(c) (UnsafeMutableRawPointer) -> Void
  let context: UnsafeMutableRawPointer
  /// Signalled when it is done.
  let isDone: Semaphore

  func run() {
    // A call of C's, after which nothing here refers to the context any more.
    body(context)
    isDone.signal()
  }
}
