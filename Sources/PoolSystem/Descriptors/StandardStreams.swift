import CPoolSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The streams that a worker speaks on, moved out of everybody's way.
package struct StandardStreams: Hashable, Sendable {
  /// Where descriptor 0 went.
  package var input: Int32
  /// Where descriptor 1 went.
  package var output: Int32

  /// Moves descriptors 0 and 1 to close-on-exec numbers, and puts `/dev/null` and the standard
  /// error stream in their places; marks all other inherited descriptors close-on-exec; lets
  /// all signals in.
  ///
  /// So nothing that this process prints, reads or starts can reach the two streams. Inherited
  /// descriptors are marked and not closed, because Foundation's `Process` learns of a child's
  /// end by one of them.
  package static func claim() throws(SystemFailure) -> Self {
    SignalMask.empty.apply()
    let streams = Self(
      input: try Descriptors.duplicate(0),
      output: try Descriptors.duplicate(1)
    )
    try detach()
    markInherited()
    return streams
  }

  /// Puts `/dev/null` and the standard error stream in the places of descriptors 0 and 1.
  package static func detach() throws(SystemFailure) {
    let null = try Descriptors.openNull()
    try Descriptors.replace(0, with: null)
    if fcntl(2, F_GETFD) < 0 { try Descriptors.replace(2, with: null) }
    try Descriptors.replace(1, with: 2)
    if null > 2 { Descriptors.close(null) }
  }

  /// Occupies the numbers of standard streams that are closed, so that no file of ours gets one of
  /// them.
  ///
  /// Using such a stream still fails as if it were closed: what stands there cannot be read where
  /// it is the input, nor written where it is an output.
  package static func occupyClosed() {
    let null = Array("/dev/null".utf8)
    for number in Int32(0)...2 where fcntl(number, F_GETFD) < 0 {
      let flags = number == 0 ? O_WRONLY : O_RDONLY
      // The lowest number that is free is given: this one, since those below it are taken.
      guard let descriptor = try? Descriptors.open(null, flags) else { return }
      if descriptor != number { Descriptors.close(descriptor) }
    }
  }

  /// Marks every descriptor from 3 on as close-on-exec.
  package static func markInherited() {
    guard opool_mark_close_on_exec_from(3) != 0 else { return }
    #if canImport(Darwin)
    let list = opendir("/dev/fd")
    #else
    let list = opendir("/proc/self/fd")
    #endif
    guard let list else { return }
    defer { closedir(list) }
    while let entry = readdir(list) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if let number = Int32(name), number > 2 { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
    }
  }
}
