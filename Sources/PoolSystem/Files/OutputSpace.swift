import CPoolSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// An open file of outputs, and what one look at it tells.
package struct OutputFileStatus: Hashable, Sendable {
  package let file: Int32
  package let size: Int64
  /// Whether it has no name and no blocks, and is private.
  private let isPlain: Bool

  package init(_ file: Int32) throws(SystemFailure) {
    LockWatch.assertUnlocked()
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .last("fstat") }
    self.file = file
    size = Int64(status.st_size)
    isPlain = status.st_nlink == 0 && status.st_blocks == 0 && status.st_mode == S_IFREG | 0o600
  }

  /// Whether the file was as new, and a program has changed none of its flags.
  package var isUntouched: Bool {
    size == 0 && isPlain && opool_changeable_flags(file) == O_RDWR | O_APPEND
  }
}

/// Finds out whether a file of outputs may lack bytes: a program that wrote it need not report a
/// failed write.
///
/// A write fails if there is no space. While space is low, some is reserved behind the file's end:
/// if that fails, the file's writer may have failed, too. This does not notice space that was freed
/// in the meantime, or limits of the writer alone.
package struct OutputSpace: Sendable {
  /// Number of free bytes below which space is low: 64 MiB, which other processes cannot use and
  /// free in an instant.
  private static let low: Int64 = 64 << 20
  /// Number of bytes to reserve: a page, which is a block on nearly every file system.
  private static let reserve: Int64 = 4 << 10

  /// Whether the file system may have a quota below its free space.
  private let mayHaveQuota: Bool
  /// The limit of file sizes, which commands inherit.
  private let limit = opool_file_size_limit()

  /// Checks the file system of a temporary file.
  package init(of descriptor: Int32) {
    let answer = opool_may_have_quota(descriptor)
    mayHaveQuota = answer < 0 ? QuotaMounts.saysQuota(of: descriptor) : answer > 0
  }

  /// Why the files may lack bytes that were written to them; nil if they are complete.
  ///
  /// Both must be in one file system.
  package func shortage(of first: OutputFileStatus, _ second: OutputFileStatus?) -> SystemFailure? {
    if max(first.size, second?.size ?? 0) >= limit { return excess }
    guard mayHaveQuota || opool_free_space(first.file) < Self.low else { return nil }
    return Self.reserveSpace(behind: first) ?? second.flatMap(Self.reserveSpace)
  }

  /// The failure for a file at the limit of sizes: any further byte was refused.
  private var excess: SystemFailure {
    let advice = "its size has reached the limit of \(limit) bytes, raise it with ulimit -f"
    return SystemFailure(call: advice, code: EFBIG)
  }

  /// Reserves space after the block with the file's end, whose rest the file has already.
  private static func reserveSpace(behind output: OutputFileStatus) -> SystemFailure? {
    let offset = (output.size + reserve - 1) / reserve * reserve
    guard opool_reserve_space(output.file, offset, reserve) != 0 else { return nil }
    let failure = SystemFailure.last("fallocate")
    // A file system that cannot reserve space does not tell that it is full.
    return failure.isDiskFull ? TemporaryFolder.explain(failure, of: output.file) : nil
  }
}
