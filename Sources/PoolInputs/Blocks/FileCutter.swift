import PoolModel
import PoolSystem

/// Decides where the blocks of a regular file end, and reads the file only near these places.
///
/// Blocks end where ``BlockCutter`` would end them, or at the first boundary after each multiple of
/// their size, so that their number is known.
package struct FileCutter {
  let file: Int32
  /// Wanted number of bytes of a block.
  let size: Int64
  let boundary: RecordBoundary
  /// Where the first block begins.
  let origin: Int64
  /// Whether the borders are multiples of the size, rather than counted from the start of each
  /// block.
  let isGrid: Bool

  /// Bytes that are read at once: 16 KiB, or a few times what belongs to a boundary.
  private var windowSize: Int64 { max(16 << 10, 4 * Int64(boundary.pattern.count)) }

  /// The end of the block that begins at an offset; nil at the end of the file.
  func end(from start: Int64) throws(SystemFailure) -> Int64? {
    // Asked for each block, because a file may grow.
    let fileEnd = try Descriptors.size(of: file)
    guard start < fileEnd else { return nil }
    let border = border(behind: start)
    guard border < fileEnd else { return fileEnd }
    let window = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Int(windowSize),
      alignment: 16
    )
    defer { window.deallocate() }
    if isGrid { return try first(from: start, after: border - 1, window) ?? fileEnd }
    if let end = try last(from: start, through: border, before: fileEnd, window) { return end }
    return try first(from: start, after: border, window) ?? fileEnd
  }

  private func border(behind start: Int64) -> Int64 {
    let base = isGrid ? origin + (start - origin) / size * size : start
    return base.saturatingSum(size)
  }

  /// The last boundary of a block up to its border.
  private func last(
    from start: Int64,
    through border: Int64,
    before fileEnd: Int64,
    _ window: UnsafeMutableRawBufferPointer
  ) throws(SystemFailure) -> Int64? {
    var upper = min(border.saturatingSum(Int64(boundary.startCount)), fileEnd)
    while true {
      let lower = max(start, upper - windowSize)
      let bytes = try read(lower..<upper, into: window)
      // A boundary at the start of the window belongs to the next window.
      let place = Int(min(border, upper) - lower)
      if let end = boundary.last(through: place, in: bytes) { return lower + Int64(end) }
      if lower == start { return nil }
      upper = lower + Int64(max(boundary.pattern.count, 1)) - (boundary.endCount > 0 ? 1 : 0)
    }
  }

  /// The first boundary behind a border.
  private func first(
    from start: Int64,
    after border: Int64,
    _ window: UnsafeMutableRawBufferPointer
  ) throws(SystemFailure) -> Int64? {
    var lower = start.saturatingSum(Int64(boundary.firstText(behind: Int(border - start))))
    while true {
      let bytes = try read(lower..<lower.saturatingSum(windowSize), into: window)
      if let end = boundary.first(from: 0, in: bytes) { return lower + Int64(end) }
      guard bytes.count == window.count else { return nil }
      lower += Int64(bytes.count - boundary.pattern.count + 1)
    }
  }

  /// Reads a part of the file, which may end earlier.
  private func read(
    _ range: Range<Int64>,
    into window: UnsafeMutableRawBufferPointer
  ) throws(SystemFailure) -> UnsafeRawBufferPointer {
    var count = 0
    while count < range.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: window[count..<range.count])
      let offset = range.lowerBound + Int64(count)
      guard case .bytes(let more) = try SystemIO.read(file, into: rest, from: offset) else { break }
      count += more
    }
    return UnsafeRawBufferPointer(rebasing: window[..<count])
  }
}
