import PoolModel
import PoolSystem
import PoolWire

/// The file for `--results`: one line an operation, in the order of finishing.
final class ResultsFile {
  private let descriptor: Int32
  private var writer = JSONWriter()
  private(set) var failure: SystemFailure?
  private var flushedAt = Instant.zero

  /// What is gathered before it is written: 64 KiB.
  private static let bufferSize = 64 << 10
  /// How long a line may wait for others: 100 ms.
  private static let period = Int64.milliseconds(100)

  /// Opens the file, and empties it.
  init(path: [UInt8]) throws(SystemFailure) {
    descriptor = try Descriptors.createFile(path: path)
  }

  deinit {
    Descriptors.close(descriptor)
  }

  /// Appends a line; whoever follows the file sees it a moment later at the latest.
  func append(_ report: OperationReport, at now: Instant) {
    report.append(to: &writer)
    guard writer.bytes.count >= Self.bufferSize || now >= flushedAt.advanced(by: Self.period) else {
      return
    }
    flushedAt = now
    flush()
  }

  /// Writes what was gathered.
  func flush() {
    guard !writer.bytes.isEmpty else { return }
    do throws(SystemFailure) {
      if failure == nil { try SystemIO.writeAll(descriptor, writer.bytes) }
    } catch {
      failure = error
    }
    writer.removeAll()
  }
}
