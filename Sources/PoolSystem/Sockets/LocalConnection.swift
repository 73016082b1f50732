import CPoolSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// One question to a process that listens at a local socket.
package enum LocalConnection {
  package enum Failure: Error, Hashable {
    /// No process listens there any more.
    case dead
    /// The process does not answer in time, as one that is stopped.
    case silent
    case system(String)
  }

  /// Sends a question, and reads the answer to its end.
  ///
  /// Each of the steps may take that many milliseconds; the answer may have that many bytes.
  package static func ask(
    _ path: [UInt8],
    _ question: [UInt8],
    milliseconds: Int32,
    limit: Int
  ) throws(Failure) -> [UInt8] {
    LockWatch.assertUnlocked()
    let socket = path.withCString { opool_connect($0, milliseconds) }
    guard socket >= 0 else {
      switch errno {
      case ECONNREFUSED, ENOENT: throw .dead
      case EAGAIN, ETIMEDOUT: throw .silent
      default: throw .system(SystemFailure.last("connect").reason)
      }
    }
    defer { Descriptors.close(socket) }
    try send(question, to: socket)
    return try readAll(socket, limit: limit)
  }

  /// Sends bytes; throws if the other side does not take them in time.
  package static func send(_ bytes: [UInt8], to socket: Int32) throws(Failure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { opool_send(socket, $0.baseAddress, $0.count) }
      guard count > 0 else { throw lastFailure("send") }
      rest = rest.dropFirst(count)
    }
  }

  /// Reads to the end of the stream.
  private static func readAll(_ socket: Int32, limit: Int) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < limit {
      let piece = try read(socket, atMost: min(limit - bytes.count, 64 << 10))
      if piece.isEmpty { return bytes }
      bytes += piece
    }
    throw .system("the answer is too long")
  }

  /// Reads a line without its line feed, of at most that many bytes.
  package static func readLine(_ socket: Int32, limit: Int) throws(Failure) -> [UInt8] {
    var line: [UInt8] = []
    while line.count < limit {
      let piece = try read(socket, atMost: limit - line.count)
      line += piece
      if let end = line.firstIndex(of: UInt8(ascii: "\n")) { return Array(line[..<end]) }
      if piece.isEmpty { throw .dead }
    }
    throw .system("the question is too long")
  }

  private static func read(_ socket: Int32, atMost count: Int) throws(Failure) -> [UInt8] {
    var failure: Failure?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { bytes, length in
      let number = recv(socket, bytes.baseAddress, count, 0)
      if number < 0 { failure = lastFailure("recv") }
      length = max(number, 0)
    }
    if let failure { throw failure }
    return bytes
  }

  private static func lastFailure(_ call: String) -> Failure {
    switch errno {
    case EAGAIN, EWOULDBLOCK, ETIMEDOUT: .silent
    case EPIPE, ECONNRESET: .dead
    default: .system(SystemFailure.last(call).reason)
    }
  }
}
