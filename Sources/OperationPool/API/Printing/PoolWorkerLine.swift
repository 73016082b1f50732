public import PoolModel

/// A line that a worker has printed.
public struct PoolWorkerLine: Sendable, CustomStringConvertible {
  /// The worker that printed it.
  public let worker: WorkerID

  /// The operation that printed it; nil if the worker printed it between operations, or if the
  /// operation has already finished.
  public let operation: PoolOperation?

  /// The line without its end; bytes that are not UTF-8 are repaired, and control characters are
  /// kept.
  ///
  /// If the line has more than 16 KiB, only its start.
  public let text: String

  /// Number of bytes of the line that are left out; mostly 0.
  public let omittedByteCount: Int

  init(_ line: PrintedLine, of operation: PoolOperation?, on worker: WorkerID) {
    self.worker = worker
    self.operation = operation
    text = String(decoding: line.bytes, as: UTF8.self)
    omittedByteCount = line.omittedCount
  }

  /// The operation's label or the worker's number, and the line: safe for a terminal.
  public var description: String {
    let label = operation.map { Printable.name($0.label) } ?? "worker \(worker)"
    let parts = text.split(separator: "\t", omittingEmptySubsequences: false)
    let line = parts.map { Printable.text(String($0)) }.joined(separator: "\t")
    let mark = omittedByteCount > 0 ? " … (\(omittedByteCount) more bytes)" : ""
    return "\(label): \(line)\(mark)"
  }
}
