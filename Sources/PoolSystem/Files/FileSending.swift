import CPoolSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

// Files on their way to other descriptors, in flat memory.

extension SystemIO {
  /// What is copied at once: 256 KiB.
  private static let pieceSize = 256 << 10
  /// What Linux lets anybody give a pipe, unless it was told otherwise: 1 MiB.
  private static let widestPipe: Int32 = 1 << 20

  /// Sends a range of a file to a descriptor, and waits wherever there is no room; a file that is
  /// shorter just ends.
  ///
  /// Where the system can, it hands over the file's pages, and nothing is copied: see sendfile(2).
  package static func send(
    _ file: Int32,
    _ range: Range<Int64>,
    to descriptor: Int32
  ) throws(SystemFailure) {
    var rest = range
    widenPipe(descriptor, for: range.count)
    while !rest.isEmpty, let transfer = try handOver(file, rest, to: descriptor) {
      switch transfer {
      case .bytes(let count): rest = (rest.lowerBound + Int64(count))..<rest.upperBound
      case .wouldBlock: wait(for: Int16(POLLOUT), on: descriptor)
      case .endOfFile: return
      }
    }
    try forEachPiece(of: file, rest) { piece throws(SystemFailure) in
      try writeAll(descriptor, piece)
    }
  }

  /// Gives a range of a file to the closure, in pieces; a file that is shorter just ends.
  package static func forEachPiece(
    of file: Int32,
    _ range: Range<Int64>,
    _ body: (UnsafeRawBufferPointer) throws(SystemFailure) -> Void
  ) throws(SystemFailure) {
    guard !range.isEmpty else { return }
    let size = Int(min(Int64(pieceSize), Int64(range.count)))
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    defer { buffer.deallocate() }
    var offset = range.lowerBound
    while offset < range.upperBound {
      let wanted = Int(min(Int64(size), range.upperBound - offset))
      let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
      guard case .bytes(let count) = try read(file, into: part, from: offset) else { return }
      try body(UnsafeRawBufferPointer(rebasing: part[..<count]))
      offset += Int64(count)
    }
  }

  /// Gives a pipe as much room as anybody may: 1 MiB, where more is to be sent than it holds by
  /// now.
  ///
  /// With the usual 64 KiB, two processes spend more time in waking each other than in copying.
  private static func widenPipe(_ descriptor: Int32, for count: Int) {
    let room = opool_pipe_room(descriptor)
    // Not a pipe, or one that somebody has widened already.
    guard room > 0, room < widestPipe, count > room else { return }
    // Where the user has had enough of that, it stays as it is.
    _ = opool_set_pipe_room(descriptor, widestPipe)
  }

  /// Has the system send the beginning of a range; nil where it cannot do that with these two.
  private static func handOver(
    _ file: Int32,
    _ range: Range<Int64>,
    to descriptor: Int32
  ) throws(SystemFailure) -> Transfer? {
    #if canImport(Darwin)
    return nil
    #else
    var offset = off_t(range.lowerBound)
    // Not more than a moment's worth, so that a signal which stops this process is heeded.
    let count = Int(min(Int64(range.count), 1 << 20))
    do throws(SystemFailure) {
      return try transfer("sendfile") { sendfile(descriptor, file, &offset, count) }
    } catch {
      // Files that are appended to and some devices take nothing but writes.
      if error.code == EINVAL || error.code == ENOSYS { return nil }
      throw error
    }
    #endif
  }
}
