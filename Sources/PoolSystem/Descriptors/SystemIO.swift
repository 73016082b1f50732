import CPoolSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
import PoolModel
#endif

/// Reads and writes descriptors: the plain calls, repeated after interruptions.
package enum SystemIO {
  /// The result of one call.
  package enum Transfer: Hashable, Sendable {
    /// Number of bytes that were transferred, at least one.
    case bytes(Int)
    /// A non-blocking descriptor has no data or no room now.
    case wouldBlock
    /// The end of the file.
    case endOfFile
  }

  /// Reads once into a buffer, which must not be empty.
  package static func read(
    _ descriptor: Int32,
    into buffer: UnsafeMutableRawBufferPointer
  ) throws(SystemFailure) -> Transfer {
    try transfer("read") {
      #if canImport(Darwin)
      Darwin.read(descriptor, buffer.baseAddress, buffer.count)
      #else
      Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      #endif
    }
  }

  /// Reads once from an offset; the descriptor's own offset does not move.
  package static func read(
    _ descriptor: Int32,
    into buffer: UnsafeMutableRawBufferPointer,
    from offset: Int64
  ) throws(SystemFailure) -> Transfer {
    try transfer("pread") { pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset)) }
  }

  /// Writes once from a buffer, which must not be empty; may write a part of it.
  package static func write(
    _ descriptor: Int32,
    _ buffer: UnsafeRawBufferPointer
  ) throws(SystemFailure) -> Transfer {
    try transfer("write") {
      #if canImport(Darwin)
      Darwin.write(descriptor, buffer.baseAddress, buffer.count)
      #else
      Glibc.write(descriptor, buffer.baseAddress, buffer.count)
      #endif
    }
  }

  /// Writes all of a buffer; blocks while there is no room.
  package static func writeAll(
    _ descriptor: Int32,
    _ buffer: UnsafeRawBufferPointer
  ) throws(SystemFailure) {
    try writeAll(descriptor, buffer, by: write)
  }

  /// Writes all of a buffer to a socket, and blocks while there is no room; a lost reader is an
  /// error, and raises no signal.
  package static func sendAll(
    _ socket: Int32,
    _ buffer: UnsafeRawBufferPointer
  ) throws(SystemFailure) {
    try writeAll(socket, buffer, by: send)
  }

  @inline(__always)
  private static func writeAll(
    _ descriptor: Int32,
    _ buffer: UnsafeRawBufferPointer,
    by write: (Int32, UnsafeRawBufferPointer) throws(SystemFailure) -> Transfer
  ) throws(SystemFailure) {
    var rest = buffer
    while !rest.isEmpty {
      switch try write(descriptor, rest) {
      case .bytes(let count): rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      case .wouldBlock: waitForRoom(descriptor)
      case .endOfFile: throw SystemFailure(call: "write", code: EPIPE)
      }
    }
  }

  private static func send(
    _ socket: Int32,
    _ buffer: UnsafeRawBufferPointer
  ) throws(SystemFailure) -> Transfer {
    try transfer("send") { opool_send(socket, buffer.baseAddress, buffer.count) }
  }

  /// Writes all bytes; blocks while there is no room.
  package static func writeAll(_ descriptor: Int32, _ bytes: [UInt8]) throws(SystemFailure) {
    try bytes.withBytes { buffer throws(SystemFailure) in try writeAll(descriptor, buffer) }
  }

  /// Reads once; blocks while there is no data.
  ///
  /// Returns 0 at the end.
  package static func readWaiting(
    _ descriptor: Int32,
    into buffer: UnsafeMutableRawBufferPointer
  ) throws(SystemFailure) -> Int {
    while true {
      switch try read(descriptor, into: buffer) {
      case .bytes(let count): return count
      case .endOfFile: return 0
      case .wouldBlock: waitForData(descriptor)
      }
    }
  }

  /// Passes each piece to the closure, until the end or until it returns false.
  package static func readPieces(
    _ descriptor: Int32,
    _ body: (UnsafeRawBufferPointer) -> Bool
  ) throws(SystemFailure) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = try readWaiting(descriptor, into: buffer)
      if count == 0 || !body(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { return }
    }
  }

  static func transfer(
    _ call: String,
    _ body: () -> Int
  ) throws(SystemFailure) -> Transfer {
    LockWatch.assertUnlocked()
    while true {
      let count = body()
      if count > 0 { return .bytes(count) }
      if count == 0 { return .endOfFile }
      switch errno {
      case EINTR: continue
      case EAGAIN, EWOULDBLOCK: return .wouldBlock
      default: throw SystemFailure.last(call)
      }
    }
  }
}
