#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A pipe or FIFO of single bytes that many processes read and write: the tokens of a jobserver.
///
/// Reading must not set `O_NONBLOCK` on a descriptor that others share, and must not wait where
/// another process took the byte first. So the reading end is opened anew where the system allows
/// that.
package final class TokenPipe: Sendable {
  private let reader: Int32
  private let writer: Int32
  /// The ends that children inherit; nil where they open the FIFO themselves.
  package let ends: Descriptors.PipeEnds?
  /// The descriptors that this object closes.
  private let own: [Int32]
  /// Whether ``take()`` may wait, because the reading end could not be opened anew.
  package let mayBlock: Bool

  /// Uses inherited ends, which stay open.
  package convenience init(read: Int32, write: Int32) {
    self.init(read: read, write: write, closing: [])
  }

  /// Makes a pipe with these tokens, for this process and its children.
  package convenience init(holding tokens: [UInt8]) throws(SystemFailure) {
    let ends = try Descriptors.pipe()
    do throws(SystemFailure) {
      try Self.fill(ends.write, with: tokens)
      for end in [ends.read, ends.write] { try Descriptors.setCloseOnExec(end, false) }
    } catch {
      for end in [ends.read, ends.write] { Descriptors.close(end) }
      throw error
    }
    self.init(read: ends.read, write: ends.write, closing: [ends.read, ends.write])
  }

  /// Opens a FIFO.
  package init(fifo path: [UInt8]) throws(SystemFailure) {
    // For both: opening does not wait for another process, and reading never sees an end.
    let descriptor = try Descriptors.open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard Descriptors.isPipe(descriptor) else {
      Descriptors.close(descriptor)
      throw SystemFailure(call: "open", code: EINVAL)
    }
    (reader, writer, own, mayBlock) = (descriptor, descriptor, [descriptor], false)
    ends = nil
  }

  private init(read: Int32, write: Int32, closing made: [Int32]) {
    #if os(Linux)
    let path = Array("/proc/self/fd/\(read)".utf8)
    let copy = try? Descriptors.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    #else
    let copy: Int32? = nil
    #endif
    (reader, writer) = (copy ?? read, write)
    own = made + (copy.map { [$0] } ?? [])
    self.ends = Descriptors.PipeEnds(read: read, write: write)
    mayBlock = copy == nil
  }

  /// All tokens must fit, since nothing reads them yet.
  private static func fill(_ writer: Int32, with tokens: [UInt8]) throws(SystemFailure) {
    guard !tokens.isEmpty else { return }
    SystemIO.widenPipe(writer, for: tokens.count)
    try Descriptors.setNonBlocking(writer)
    let result = tokens.withUnsafeBytes { buffer in
      Result { () throws(SystemFailure) in try SystemIO.write(writer, buffer) }
    }
    guard try result.get() == .bytes(tokens.count) else {
      throw SystemFailure(call: "write", code: EAGAIN)
    }
    try Descriptors.setNonBlocking(writer, false)
  }

  deinit {
    for descriptor in own { Descriptors.close(descriptor) }
  }

  /// Waits until there is a token, which another process may take first.
  package func wait() { SystemIO.wait(for: Int16(POLLIN), on: reader) }

  /// Takes a token; nil if there is none.
  package func take() throws(SystemFailure) -> UInt8? {
    var token: UInt8 = 0
    let result = withUnsafeMutableBytes(of: &token) { buffer in
      Result { () throws(SystemFailure) in try SystemIO.read(reader, into: buffer) }
    }
    return try result.get() == .bytes(1) ? token : nil
  }

  /// Gives tokens back; one that cannot be written is lost.
  package func give(_ tokens: [UInt8]) { try? SystemIO.writeAll(writer, tokens) }
}
