import CPoolSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// An open file of outputs, and how many bytes it has.
package struct OutputFileSize: Hashable, Sendable {
  package let file: Int32
  package let size: Int64

  package init(_ file: Int32) throws(SystemFailure) {
    self.file = file
    size = try Descriptors.size(of: file)
  }
}

/// Whether a file of outputs may lack some: whoever wrote it need not tell that a write failed.
///
/// A write fails where there is no room. While room is low, some is claimed behind the file's end:
/// if there is none, there may have been none for the file's writer either. What came back before
/// that is not seen, nor what only the writer may not use.
package struct OutputRoom: Sendable {
  /// Below so much, room is low: 64 MiB, which others cannot take and give back in the blink of an
  /// eye.
  private static let low: Int64 = 64 << 20
  /// How much is claimed: a page, which is a block nearly everywhere.
  private static let claim: Int64 = 4 << 10

  /// Whether a file system like that of these files may refuse what it has room for.
  private let mayHaveQuota: Bool
  /// The limit of file sizes, which commands inherit.
  private let limit = opool_file_size_limit()

  /// Looks at the file system of a temporary file.
  package init(of descriptor: Int32) {
    let answer = opool_may_have_quota(descriptor)
    mayHaveQuota = answer < 0 ? MountTable.saysQuota(of: descriptor) : answer > 0
  }

  /// Why the files may lack bytes that were written to them, if so; all lie in one file system.
  package func shortage(of outputs: [OutputFileSize]) -> SystemFailure? {
    if outputs.contains(where: { $0.size >= limit }) { return excess }
    guard let first = outputs.first, mayHaveQuota || opool_free_room(first.file) < Self.low else {
      return nil
    }
    for output in outputs {
      if let failure = Self.claimRoom(behind: output.size, in: output.file) { return failure }
    }
    return nil
  }

  /// A file that has reached the limit of sizes: its next byte was refused, if there was one.
  private var excess: SystemFailure {
    let advice = "its size has reached the limit of \(limit) bytes, raise it with ulimit -f"
    return SystemFailure(call: advice, code: EFBIG)
  }

  /// Behind the block that the file's end is in, whose rest is its own already.
  private static func claimRoom(behind size: Int64, in file: Int32) -> SystemFailure? {
    let offset = (size + claim - 1) / claim * claim
    guard opool_claim_room(file, offset, claim) != 0 else { return nil }
    let failure = SystemFailure.last("fallocate")
    // A file system that cannot put room aside does not say that there is none.
    return failure.isLackOfRoom ? TemporaryFolder.explain(failure, of: file) : nil
  }
}
