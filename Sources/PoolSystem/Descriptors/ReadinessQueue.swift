import CPoolSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The system's own queue of ready descriptors: `epoll`, or `kqueue`.
///
/// The cost of a wait depends on the number of ready descriptors, not on that of watched ones. Each
/// descriptor has a tag, which is reported when it is ready.
package final class ReadinessQueue {
  /// The sum of `OPOOL_READABLE` and `OPOOL_WRITABLE`; 0 for a descriptor that is not watched.
  typealias Bits = Int32

  private let descriptor: Int32
  private let found = UnsafeMutableBufferPointer<opool_ready>.allocate(
    capacity: Int(OPOOL_READY_LIMIT)
  )

  /// Nil if the system has no such queue, or too few descriptors are left.
  package init?() {
    descriptor = opool_open_readiness()
    if descriptor < 0 { return nil }
  }

  deinit {
    found.deallocate()
    if descriptor >= 0 { Descriptors.close(descriptor) }
  }

  /// Changes what a descriptor is watched for; false if the system refuses it.
  func change(_ descriptor: Int32, tag: UInt64, from before: Bits, to after: Bits) -> Bool {
    before == after
      || opool_change_readiness(self.descriptor, descriptor, tag, before, after) == 0
  }

  /// Passes the tag and the readiness of each ready descriptor to the closure; false, with errno
  /// set, if the system cannot report them.
  func wait(milliseconds: Int32, _ body: (_ tag: UInt64, Bits) -> Void) -> Bool {
    let capacity = Int32(found.count)
    let count = opool_await_readiness(descriptor, found.baseAddress, capacity, milliseconds)
    guard count >= 0 else { return false }
    for entry in found[..<Int(count)] { body(entry.tag, entry.readiness) }
    return true
  }
}
