import PoolSystem
import PoolWire

/// The file for `--results`: one line an operation, in the order of finishing.
final class ResultsFile {
  private let descriptor: Int32
  private var writer = JSONWriter()
  private(set) var failure: SystemFailure?

  /// What is gathered before it is written: 64 KiB.
  private static let bufferSize = 64 << 10

  /// Opens the file, and empties it.
  init(path: [UInt8]) throws(SystemFailure) {
    descriptor = try Descriptors.createFile(path: path)
  }

  deinit {
    Descriptors.close(descriptor)
  }

  /// Appends a line.
  func append(_ report: OperationReport) {
    report.append(to: &writer)
    if writer.bytes.count >= Self.bufferSize { flush() }
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
