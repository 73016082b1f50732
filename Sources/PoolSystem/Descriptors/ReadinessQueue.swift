import CPoolSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The system's own list of what is ready: `epoll`, or `kqueue`.
///
/// A wait costs as much as is ready, however many descriptors are watched. Each has a tag, which
/// comes back with what is ready.
package final class ReadinessQueue {
  /// The sum of `OPOOL_READABLE` and `OPOOL_WRITABLE`; 0 for a descriptor that is not watched.
  typealias Bits = Int32

  private let descriptor: Int32
  private let found = UnsafeMutableBufferPointer<opool_ready>.allocate(
    capacity: Int(OPOOL_READY_LIMIT)
  )

  /// Nil where the system has none, or too few descriptors are left.
  package init?() {
    descriptor = opool_open_readiness()
    if descriptor < 0 { return nil }
  }

  deinit {
    found.deallocate()
    if descriptor >= 0 { Descriptors.close(descriptor) }
  }

  /// Changes for what a descriptor is watched; false where the system refuses that.
  func change(_ descriptor: Int32, tag: UInt64, from before: Bits, to after: Bits) -> Bool {
    before == after
      || opool_change_readiness(self.descriptor, descriptor, tag, before, after) == 0
  }

  /// Hands over the tag of each descriptor that is ready, and what for; false, and errno, where the
  /// system cannot tell.
  func wait(milliseconds: Int32, _ body: (_ tag: UInt64, Bits) -> Void) -> Bool {
    let room = Int32(found.count)
    let count = opool_await_readiness(descriptor, found.baseAddress, room, milliseconds)
    guard count >= 0 else { return false }
    for entry in found[..<Int(count)] { body(entry.tag, entry.readiness) }
    return true
  }
}
