import CPoolSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

// Sends files to other descriptors with a constant amount of memory.

extension SystemIO {
  /// Number of bytes copied at once: 256 KiB.
  package static let pieceSize = 256 << 10
  /// The largest size of a pipe that Linux allows any process by default: 1 MiB.
  static let widestPipe: Int32 = 1 << 20

  /// Sends a range of a file to a descriptor; blocks while there is no room.
  ///
  /// Returns how many bytes the file lacked: a shorter file just ends.
  ///
  /// If the system can, it passes on the file's pages without a copy: see sendfile(2). `widens`
  /// lets it widen a pipe first.
  @discardableResult
  package static func send(
    _ file: Int32,
    _ range: Range<Int64>,
    to descriptor: Int32,
    widens: Bool = true
  ) throws(SystemFailure) -> Int64 {
    var rest = range
    if widens { widenPipe(descriptor, for: range.count) }
    while !rest.isEmpty, let transfer = try handOver(file, rest, to: descriptor) {
      switch transfer {
      case .bytes(let count): rest = (rest.lowerBound + Int64(count))..<rest.upperBound
      case .wouldBlock: waitForRoom(descriptor)
      case .endOfFile: return Int64(rest.count)
      }
    }
    var lacking = Int64(rest.count)
    try forEachPiece(of: file, rest) { piece throws(SystemFailure) in
      try writeAll(descriptor, piece)
      lacking -= Int64(piece.count)
    }
    return lacking
  }

  /// Number of bytes that are copied before ``copy(_:_:to:while:)`` asks whether to go on: 1 MiB.
  private static let stepSize: Int64 = 1 << 20

  /// Copies a range of a file to another file; a shorter file just ends.
  ///
  /// Throws ``SystemFailure/cancelled`` if the closure returns false, which is asked before each
  /// MiB. If the system can, it copies within the file system: see copy_file_range(2).
  package static func copy(
    _ file: Int32,
    _ range: Range<Int64>,
    to target: Int32,
    while isWanted: () -> Bool
  ) throws(SystemFailure) {
    var start = range.lowerBound
    var isSent = false
    while start < range.upperBound {
      guard isWanted() else { throw SystemFailure.cancelled }
      let step = start..<min(start + stepSize, range.upperBound)
      if !isSent, let count = try copyWithinSystem(file, step, to: target) {
        start += count
        continue
      }
      isSent = true
      start += Int64(step.count)
      guard try send(file, step, to: target) == 0 else { return }
    }
  }

  /// Lets the system copy the start of a range, at most as much as one call takes; nil if it cannot
  /// do that with these two files.
  private static func copyWithinSystem(
    _ file: Int32,
    _ range: Range<Int64>,
    to target: Int32
  ) throws(SystemFailure) -> Int64? {
    do throws(SystemFailure) {
      let transfer = try transfer("copy_file_range") {
        Int(opool_copy_range(file, range.lowerBound, Int64(range.count), target))
      }
      // Some file systems report the end of a file that has more.
      guard case .bytes(let count) = transfer else { return nil }
      return Int64(count)
    } catch {
      // Files of different file systems, or opened for appending, and what is no file.
      let refusals = [EXDEV, EINVAL, ENOSYS, EBADF, EOPNOTSUPP, EPERM, ETXTBSY]
      guard refusals.contains(error.code) else { throw error }
      return nil
    }
  }

  /// Passes a range of a file to the closure, in pieces; a shorter file just ends.
  package static func forEachPiece(
    of file: Int32,
    _ range: Range<Int64>,
    size: Int = pieceSize,
    _ body: (UnsafeRawBufferPointer) throws(SystemFailure) -> Void
  ) throws(SystemFailure) {
    guard !range.isEmpty else { return }
    let size = Int(min(Int64(size), Int64(range.count)))
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

  /// Number of bytes that a pipe holds at any alignment of its pages; 0 if it is not a pipe.
  package static func safeRoom(of pipe: Int32) -> Int {
    // Each page of a file takes a page of the pipe, also the first and the last one.
    max(Int(opool_pipe_capacity(pipe)) - 2 * Int(getpagesize()), 0)
  }

  /// Enlarges a pipe to 1 MiB if more is to be sent than it holds.
  ///
  /// With the usual 64 KiB, two processes spend more time waking each other than copying.
  package static func widenPipe(_ descriptor: Int32, for count: Int) {
    let capacity = opool_pipe_capacity(descriptor)
    // Not a pipe, or one that is large already.
    guard capacity > 0, capacity < widestPipe, count > capacity else { return }
    // If the user's limit is reached, the size stays as it is.
    _ = opool_set_pipe_capacity(descriptor, widestPipe)
  }

  /// Whether pipes of the worker with that slot, and of its commands, may be widened.
  ///
  /// A user may have 64 MiB of pipes, and gets only pipes of 8 KiB beyond that. So only the first
  /// eight workers of a pool widen theirs, to 1 MiB each.
  package static func mayWidenPipes(ofSlot slot: Int) -> Bool { slot <= 8 }

  /// Makes a pipe as small as it can be, if it is empty enough.
  package static func shrinkPipe(_ descriptor: Int32) {
    if opool_pipe_capacity(descriptor) > 0 { _ = opool_set_pipe_capacity(descriptor, 1) }
  }

  /// Lets the system send the start of a range; nil if it cannot do that with these two
  /// descriptors.
  private static func handOver(
    _ file: Int32,
    _ range: Range<Int64>,
    to descriptor: Int32
  ) throws(SystemFailure) -> Transfer? {
    #if canImport(Darwin)
    return nil
    #else
    var offset = off_t(range.lowerBound)
    // Only a part, so that a signal that stops this process takes effect soon.
    let count = Int(min(Int64(range.count), 1 << 20))
    do throws(SystemFailure) {
      return try transfer("sendfile") { sendfile(descriptor, file, &offset, count) }
    } catch {
      // Files opened for appending, and some devices, accept only writes.
      if error.code == EINVAL || error.code == ENOSYS { return nil }
      throw error
    }
    #endif
  }
}
