import CPoolSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The streams between a worker and its coordinator, moved away from descriptors 0 and 1.
package struct StandardStreams: Hashable, Sendable {
  /// The descriptor that was 0.
  package var input: Int32
  /// The descriptor that was 1.
  package var output: Int32
  /// Another descriptor of the standard error stream, which stays the same if 2 is redirected; nil
  /// if printed text does not concern the coordinator.
  package var error: Int32?

  /// Streams to be used in place of the two.
  package init(input: Int32, output: Int32) {
    self.input = input
    self.output = output
  }

  /// Moves descriptors 0 and 1 to close-on-exec numbers, and puts `/dev/null` and the standard
  /// error stream in their places; marks all other inherited descriptors close-on-exec; unblocks
  /// all signals; makes printed text be written line by line.
  ///
  /// So neither this process's own input and output nor its children can reach the two streams.
  /// Inherited descriptors are marked and not closed, because Foundation's `Process` notices a
  /// child's end by one of them.
  package static func take() throws(SystemFailure) -> Self {
    SignalMask.empty.apply()
    let (input, output) = (try Descriptors.duplicate(0), try Descriptors.duplicate(1))
    try detach()
    markInherited()
    PrintedOutput.watch()
    var streams = Self(input: input, output: output)
    streams.error = try Descriptors.duplicate(2)
    return streams
  }

  /// Replaces descriptors 0 and 1 by `/dev/null` and the standard error stream.
  package static func detach() throws(SystemFailure) {
    let null = try Descriptors.openNull()
    try Descriptors.replace(0, with: null)
    if fcntl(2, F_GETFD) < 0 { try Descriptors.replace(2, with: null) }
    try Descriptors.replace(1, with: 2)
    if null > 2 { Descriptors.close(null) }
  }

  /// Occupies the numbers of closed standard streams, so that no other file gets one of them.
  ///
  /// Using such a stream still fails as if it were closed: the input cannot be read, and the
  /// outputs cannot be written.
  package static func occupyClosed() {
    let null = Array("/dev/null".utf8)
    for number in Int32(0)...2 where fcntl(number, F_GETFD) < 0 {
      let flags = number == 0 ? O_WRONLY : O_RDONLY
      // `open` returns the lowest free number, which is this one, since those below are taken.
      guard let descriptor = try? Descriptors.open(null, flags) else { return }
      if descriptor != number { Descriptors.close(descriptor) }
    }
  }

  /// Marks every descriptor from 3 on close-on-exec.
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
