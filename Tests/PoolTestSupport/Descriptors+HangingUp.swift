package import PoolSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension Descriptors {
  /// Closes an end of a pipe, and waits until the other end tells so.
  ///
  /// Another thread of this process that is starting a process may hold a copy for a moment.
  package static func close(_ end: Int32, seenFrom other: Int32) {
    close(end)
    var entry = pollfd(fd: other, events: 0, revents: 0)
    while poll(&entry, 1, -1) < 0, errno == EINTR {}
  }
}
