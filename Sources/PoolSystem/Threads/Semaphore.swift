#if canImport(Darwin)
import Dispatch
#else
import Glibc
#endif

/// Lets one thread wait for a signal of another, without a lock.
///
/// On Linux it is the C library's: a worker of commands needs nothing else of Dispatch, and starts
/// faster without that library.
///
/// `@unchecked Sendable`: the system's semaphores are shared by threads.
final class Semaphore: @unchecked Sendable {
  #if canImport(Darwin)
  private let semaphore = DispatchSemaphore(value: 0)

  func signal() { semaphore.signal() }

  func wait() { semaphore.wait() }
  #else
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() {
    semaphore.initialize(to: sem_t())
    sem_init(semaphore, 0, 0)
  }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  func signal() { sem_post(semaphore) }

  /// Waits until it is signalled.
  func wait() {
    while sem_wait(semaphore) != 0, errno == EINTR {}
  }
  #endif
}
