#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

// Descriptors with flags of their own: those of others, even in other processes, stay as they are.

extension Descriptors {
  /// A descriptor for what another one writes to, on which no write waits for a reader.
  ///
  /// The caller must close it. Nil if the system cannot make one, as for a socket.
  package static func nonBlockingWriter(of descriptor: Int32) -> Int32? {
    // If a regular file was opened again, it would be written from its start.
    isRegularFile(descriptor)
      ? try? duplicate(descriptor) : reopenNonBlocking(descriptor, O_WRONLY)
  }

  /// The same file, opened again so that no call blocks; nil if the system cannot do that.
  static func reopenNonBlocking(_ descriptor: Int32, _ mode: Int32) -> Int32? {
    #if os(Linux)
    let path = Array("/proc/self/fd/\(descriptor)".utf8)
    return try? open(path, mode | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    #else
    return nil
    #endif
  }
}
