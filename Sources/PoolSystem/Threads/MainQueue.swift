import CPoolSystem
import Dispatch

#if canImport(Darwin)
import CoreFoundation
import Darwin
#endif

/// The main dispatch queue, whose blocks and main actor's jobs only the main thread may execute.
package enum MainQueue {
  /// Whether the calling thread can serve it: the main thread, unless that serves it already.
  ///
  /// On Linux, an asynchronous `main` that has suspended has left the main thread.
  package static var isUnserved: Bool {
    #if canImport(Darwin)
    pthread_main_np() == 1 && CFRunLoopCopyCurrentMode(CFRunLoopGetMain()) == nil
    #else
    opool_is_main_thread() == 1
    #endif
  }

  /// Executes what is put into it, on the calling thread, as long as the closure says so.
  ///
  /// Meanwhile, on Linux, signals go to other threads while the queue is empty.
  package static func serve(while isServing: () -> Bool) {
    while isServing() {
      #if canImport(Darwin)
      CFRunLoopRunInMode(.defaultMode, .greatestFiniteMagnitude, true)
      #else
      opool_serve_main_queue()
      #endif
    }
  }

  /// Makes ``serve(while:)`` ask again.
  package static func wake() { DispatchQueue.main.async {} }
}
