import CPoolSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Memory that this process shares with a child, and that outlives the child.
///
/// `@unchecked Sendable`: it is only an address; the code that writes to it ensures the order.
package final class SharedMemory: @unchecked Sendable {
  package let start: UnsafeMutableRawPointer
  /// Its size in bytes.
  package let count: Int
  /// The file behind it, by which another process opens it; nil after it was closed.
  package private(set) var descriptor: Int32?

  /// Makes zeroed memory.
  ///
  /// Throws if the system has no shared memory without a name.
  package init(count: Int) throws(SystemFailure) {
    LockWatch.assertUnlocked()
    let descriptor = opool_open_memory(Int64(count))
    guard descriptor >= 0 else { throw .last("memfd_create") }
    do throws(SystemFailure) {
      start = try Self.map(descriptor, count)
    } catch {
      Descriptors.close(descriptor)
      throw error
    }
    self.count = count
    self.descriptor = descriptor
  }

  /// Maps memory that another process of this machine has made, by that process's descriptor.
  package init(_ descriptor: Int32, of process: Int32, count: Int) throws(SystemFailure) {
    LockWatch.assertUnlocked()
    let copy = try ProcessDescriptor.open(descriptor, of: process, forWriting: true)
    defer { Descriptors.close(copy) }
    // Touching memory behind the end of its file would kill this process.
    guard count > 0, opool_is_never_shortened(copy) != 0,
      try Descriptors.size(of: copy) >= count
    else {
      throw SystemFailure(call: "mmap", code: EINVAL)
    }
    start = try Self.map(copy, count)
    self.count = count
  }

  deinit {
    munmap(start, count)
    closeDescriptor()
  }

  /// Closes the file; the memory stays mapped.
  package func closeDescriptor() {
    if let descriptor { Descriptors.close(descriptor) }
    descriptor = nil
  }

  private static func map(
    _ descriptor: Int32,
    _ count: Int
  ) throws(SystemFailure) -> UnsafeMutableRawPointer {
    let place = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    guard let place, place != MAP_FAILED else { throw .last("mmap") }
    return place
  }
}
