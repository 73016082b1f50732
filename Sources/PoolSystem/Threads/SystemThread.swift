import CPoolSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A thread for work that blocks.
///
/// Join or detach it once; otherwise its memory is kept until the process ends.
package struct SystemThread: Sendable {
  /// The system's identifier of the thread: a number or a pointer, which is never dereferenced.
  private let bits: UInt

  /// The calling thread; must not be joined or detached.
  package static var current: Self {
    #if canImport(Darwin)
    Self(bits: UInt(bitPattern: pthread_self()))
    #else
    Self(bits: UInt(pthread_self()))
    #endif
  }

  /// Whether it is the calling thread, or one that has ended had the same identifier.
  package var isCurrent: Bool { bits == Self.current.bits }

  /// Starts a thread of the usual priority, even from a lowered one; truncates its name to 15
  /// bytes.
  ///
  /// `ended` is called on the thread if its body ends the thread (`Thread.exit`, `pthread_exit`)
  /// instead of returning.
  package static func start(
    name: String,
    mask: SignalMask,
    stack: Stack = .usual,
    ended: (@Sendable () -> Void)? = nil,
    _ body: @escaping @Sendable () -> Void
  ) throws(SystemFailure) -> Self {
    LockWatch.assertUnlocked()
    let start = ThreadStart(name: name, body: body, ended: ended)
    // A new thread inherits the priority of the thread that makes it.
    return try NormalPriorityThread.execute { () throws(SystemFailure) in
      guard stack == .ofMainThread, let thread = try? make(mask, start, opool_main_stack_size())
      else { return try make(mask, start, nil) }
      return thread
    }
  }

  /// The stack of a new thread.
  package enum Stack: Sendable {
    /// The system's default.
    case usual
    /// As large as the main thread's may become, if the system has room for it.
    case ofMainThread
  }

  /// Calls a body on the calling thread, and `ended` if it ends the thread instead of returning.
  package static func call(
    _ body: @escaping @Sendable () -> Void,
    ended: @escaping @Sendable () -> Void
  ) {
    ThreadStart(name: "", body: body, ended: ended).call()
  }

  /// Lets another thread use the processor.
  package static func yieldProcessor() { sched_yield() }

  /// Lets other threads go first while a condition holds, which is asked at most `limit` times.
  package static func yield(atMost limit: Int, while condition: () -> Bool) {
    for _ in 0..<limit {
      guard condition() else { return }
      yieldProcessor()
    }
  }

  /// Ends the calling thread.
  package static func exit() -> Never { pthread_exit(nil) }

  private static func make(
    _ mask: SignalMask,
    _ description: ThreadStart,
    _ stackSize: Int?
  ) throws(SystemFailure) -> Self {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    if let stackSize { pthread_attr_setstacksize(&attributes, stackSize) }
    let start = Unmanaged.passRetained(description)
    // A thread starts with the mask of its maker: if it changed the mask itself, a signal could
    // reach it before that.
    let previous = mask.apply()
    defer { SignalMask.apply(previous) }
    #if canImport(Darwin)
    var thread: pthread_t?
    let code = pthread_create(&thread, &attributes, { ThreadStart.run($0) }, start.toOpaque())
    let bits = UInt(bitPattern: thread)
    #else
    var thread = pthread_t()
    let code = pthread_create(&thread, &attributes, { ThreadStart.run($0) }, start.toOpaque())
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

  /// Detaches the thread: it ends by itself.
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

/// What a new thread executes.
private final class ThreadStart: Sendable {
  let name: String
  let body: @Sendable () -> Void
  /// Called if the body ends the thread instead of returning.
  let ended: (@Sendable () -> Void)?

  init(
    name: String,
    body: @escaping @Sendable () -> Void,
    ended: (@Sendable () -> Void)?
  ) {
    self.name = name
    self.body = body
    self.ended = ended
  }

  static func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    let start = Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
    _ = opool_name_thread(String(decoding: start.name.utf8.prefix(15), as: UTF8.self))
    start.call()
    return nil
  }

  func call() {
    guard ended != nil else { return body() }
    opool_call_in_thread(
      { ThreadStart.of($0)?.body() },
      { ThreadStart.of($0)?.ended?() },
      Unmanaged.passUnretained(self).toOpaque()
    )
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> ThreadStart? {
    context.map { Unmanaged<ThreadStart>.fromOpaque($0).takeUnretainedValue() }
  }
}
