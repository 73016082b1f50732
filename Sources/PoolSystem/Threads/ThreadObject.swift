#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// One object per thread, kept until the thread ends.
///
/// Not generic: generic code that another module calls costs more than the whole look-up.
package final class ThreadObject: Sendable {
  private let key: pthread_key_t

  /// Makes a place without an object in any thread; nil if the system has no more places.
  package init?() {
    var key = pthread_key_t()
    let code = pthread_key_create(&key) { ThreadObject.release($0) }
    guard code == 0 else { return nil }
    self.key = key
  }

  deinit { pthread_key_delete(key) }

  /// The calling thread's object.
  package var current: AnyObject? {
    guard let place = pthread_getspecific(key) else { return nil }
    return Unmanaged<AnyObject>.fromOpaque(place).takeUnretainedValue()
  }

  /// Gives the calling thread an object, once; does nothing if there is no memory for it.
  package func set(_ object: AnyObject) {
    precondition(pthread_getspecific(key) == nil, "a thread has one object")
    let place = Unmanaged.passRetained(object)
    if pthread_setspecific(key, place.toOpaque()) != 0 { place.release() }
  }

  /// Called by the system at the end of a thread with an object.
  private static func release(_ place: UnsafeMutableRawPointer?) {
    guard let place else { return }
    Unmanaged<AnyObject>.fromOpaque(place).release()
  }
}
