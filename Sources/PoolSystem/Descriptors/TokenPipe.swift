#if canImport(Darwin)
import Darwin
#else
import Glibc
import PoolModel
#endif

/// A pipe or FIFO of single bytes that many processes read and write: the tokens of a jobserver.
///
/// `O_NONBLOCK` must not be set on a descriptor that other processes share. But reading must not
/// block if another process took the byte first, and writing must not block if another process has
/// filled the pipe. So both ends are reopened if the system allows that.
package final class TokenPipe: Sendable {
  private let reader: Int32
  private let writer: Int32
  /// The ends that children inherit; nil if they open the FIFO themselves.
  package let ends: Descriptors.PipeEnds?
  /// The descriptors that this object closes.
  private let own: [Int32]
  /// Whether ``take()`` may block, because the reading end could not be reopened.
  package let mayBlock: Bool
  /// Whether a write may block, because the writing end could not be reopened.
  private let writerMayBlock: Bool

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
    guard Descriptors.isFIFO(descriptor, forWriting: true) else {
      Descriptors.close(descriptor)
      throw SystemFailure(call: "open", code: EINVAL, explanation: "not a FIFO")
    }
    (reader, writer, own) = (descriptor, descriptor, [descriptor])
    (mayBlock, writerMayBlock) = (false, false)
    ends = nil
  }

  private init(read: Int32, write: Int32, closing made: [Int32]) {
    let input = Descriptors.reopenNonBlocking(read, O_RDONLY)
    let output = Descriptors.reopenNonBlocking(write, O_WRONLY)
    (reader, writer) = (input ?? read, output ?? write)
    own = made + [input, output].compactMap { $0 }
    self.ends = Descriptors.PipeEnds(read: read, write: write)
    (mayBlock, writerMayBlock) = (input == nil, output == nil)
  }

  /// All tokens must fit, since nothing reads them yet.
  private static func fill(_ writer: Int32, with tokens: [UInt8]) throws(SystemFailure) {
    guard !tokens.isEmpty else { return }
    SystemIO.widenPipe(writer, for: tokens.count)
    try Descriptors.setNonBlocking(writer)
    let written = try tokens.withBytes { buffer throws(SystemFailure) in
      try SystemIO.write(writer, buffer)
    }
    guard written == .bytes(tokens.count) else {
      throw SystemFailure(call: "write", code: EAGAIN)
    }
    try Descriptors.setNonBlocking(writer, false)
  }

  deinit {
    for descriptor in own { Descriptors.close(descriptor) }
  }

  /// Waits until there is a token, which another process may take first.
  package func wait() { SystemIO.waitForData(reader) }

  /// Takes a token; nil if there is none.
  package func take() throws(SystemFailure) -> UInt8? {
    var token: UInt8 = 0
    let taken = try withUnsafeMutableBytes(of: &token) { buffer throws(SystemFailure) in
      try SystemIO.read(reader, into: buffer)
    }
    return taken == .bytes(1) ? token : nil
  }

  /// Gives tokens back, without waiting; returns those for which the pipe has no room.
  ///
  /// One by one, because several are written together or not at all.
  package func give(_ tokens: [UInt8]) -> ArraySlice<UInt8> { tokens.drop(while: put) }

  /// Writes a token; false only if there was no room.
  ///
  /// If writing fails, the token is lost.
  private func put(_ token: UInt8) -> Bool {
    if writerMayBlock, !SystemIO.canWrite(writer) { return false }
    let written = try? withUnsafeBytes(of: token) { buffer throws(SystemFailure) in
      try SystemIO.write(writer, buffer)
    }
    return written != .wouldBlock
  }

  /// Waits for room, at most until the deadline, a time of `MonotonicClock`; false if that came
  /// first.
  package func waitForRoom(until deadline: Int64) -> Bool {
    let rest = deadline - MonotonicClock.now
    return rest > 0 && SystemIO.waitUntilWritable(writer, nanoseconds: rest)
  }
}
