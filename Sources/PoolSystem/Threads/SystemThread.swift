import CPoolSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A thread of its own, for work that blocks.
///
/// It must be joined or detached, once, or its memory is kept until the process ends.
package struct SystemThread: Sendable {
  /// The system's name of the thread: a number or a pointer, and never looked into.
  private let bits: UInt

  /// Starts a thread of the usual priority, also for a lowered one; its name is cut to 15 bytes.
  package static func start(
    name: String,
    mask: SignalMask,
    _ body: @escaping @Sendable () -> Void
  ) throws(SystemFailure) -> Self {
    // A new thread is as low as its maker.
    try Deputy.execute { () throws(SystemFailure) in try make(name: name, mask: mask, body) }
  }

  private static func make(
    name: String,
    mask: SignalMask,
    _ body: @escaping @Sendable () -> Void
  ) throws(SystemFailure) -> Self {
    let start = Unmanaged.passRetained(ThreadStart(name: name, body: body))
    // A thread begins with its maker's mask: any later change of its own would leave a gap in
    // which a signal could reach it.
    let previous = mask.apply()
    defer { SignalMask.apply(previous) }
    #if canImport(Darwin)
    var thread: pthread_t?
    let code = pthread_create(&thread, nil, { ThreadStart.run($0) }, start.toOpaque())
    let bits = UInt(bitPattern: thread)
    #else
    var thread = pthread_t()
    let code = pthread_create(&thread, nil, { ThreadStart.run($0) }, start.toOpaque())
    let bits = UInt(thread)
    #endif
    guard code == 0 else {
      start.release()
      throw SystemFailure(call: "pthread_create", code: code)
    }
    return Self(bits: bits)
  }

  /// Waits until the thread has ended.
  package func join() {
    guard let thread else { return }
    pthread_join(thread, nil)
  }

  /// Lets the thread end alone.
  package func detach() {
    guard let thread else { return }
    pthread_detach(thread)
  }

  private var thread: pthread_t? {
    #if canImport(Darwin)
    pthread_t(bitPattern: bits)
    #else
    pthread_t(bits)
    #endif
  }
}

/// What a new thread needs to know.
private final class ThreadStart: Sendable {
  let name: String
  let body: @Sendable () -> Void

  init(name: String, body: @escaping @Sendable () -> Void) {
    self.name = name
    self.body = body
  }

  static func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    let start = Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
    _ = opool_name_thread(String(decoding: start.name.utf8.prefix(15), as: UTF8.self))
    start.body()
    return nil
  }
}
