import PoolModel

/// Where an output of a command goes: into its outcome, up to a limit, or into a file.
///
/// ```swift
/// let listing = PoolCommandOperation(run: ["ls", "-lR"], standardOutput: .bytes(limit: 64 << 20))
/// let archive = PoolCommandOperation(shell: "tar c data", standardOutput: .file("data.tar"))
/// ```
///
/// For an output of any length that is read while the command executes, see
/// ``PoolCommandOperation/lines()``.
public struct PoolCommandOutput: Hashable, Sendable {
  /// What happens if an output has more bytes than its limit.
  public enum Excess: Hashable, Sendable {
    /// The operation fails with the cause ``PoolFailureCause/outputLimit``; its outcome has the
    /// first bytes.
    ///
    /// At once: the worker closes the output, so that the command's next write ends it with
    /// SIGPIPE. A command that goes on is told to end after a second, as by a cancellation.
    case fail
    /// The outcome has the first bytes, and ``PoolOutputExtent/isTruncated`` is true.
    ///
    /// The command goes on; what it writes beyond the limit is counted, and stored nowhere.
    case truncate
  }

  enum Destination: Hashable, Sendable {
    case bytes(limit: Int, Excess)
    case file(String)
  }

  /// The limit of an output without a limit of its own: 16 MiB.
  public static let defaultLimit = OutputLimits.defaultByteCount

  let destination: Destination

  /// The outcome has the output, up to a number of bytes; a negative limit counts as 0.
  ///
  /// If another operation takes the output as an input, that gets all of it: then the operation
  /// does not fail, and only its outcome is truncated. This must be so when an attempt begins: an
  /// input that is added later may find that an output beyond its limit was not kept.
  public static func bytes(limit: Int = defaultLimit, excess: Excess = .fail) -> Self {
    Self(destination: .bytes(limit: max(limit, 0), excess))
  }

  /// The output goes into a file, as by `>` in a shell; the outcome has none of it.
  ///
  /// The worker makes the file, or empties it, when an attempt begins; a relative path is relative
  /// to the command's directory. The command fails if the file cannot be made. Both outputs may
  /// go into one file.
  public static func file(_ path: String) -> Self {
    Self(destination: .file(path))
  }

  /// The path, if it is a file.
  var path: [UInt8]? {
    guard case .file(let path) = destination else { return nil }
    return Array(path.utf8)
  }

  /// The limit; a file takes nothing from the outcome.
  var limit: OutputLimit {
    switch destination {
    case .bytes(let limit, let excess): OutputLimit(byteCount: limit, fails: excess == .fail)
    case .file: OutputLimit(byteCount: Self.defaultLimit, fails: true)
    }
  }
}
