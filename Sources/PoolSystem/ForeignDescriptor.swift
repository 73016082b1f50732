#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Opening what another process of the same user has open.
package enum ForeignDescriptor {
  /// Whether this system can do it.
  package static var isAvailable: Bool {
    #if os(Linux)
    true
    #else
    false
    #endif
  }

  /// Opens, for reading from its start, the file that a process has under a descriptor number,
  /// even if it has no name.
  package static func open(_ descriptor: Int32, of process: Int32) throws(SystemFailure) -> Int32 {
    let path = "/proc/\(process)/fd/\(descriptor)"
    // Not blocking: a worker could name a FIFO, and opening that would wait for a writer.
    #if canImport(Darwin)
    let copy = Darwin.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    #else
    let copy = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    #endif
    guard copy >= 0 else { throw .last("open the output of process \(process)") }
    return copy
  }
}
