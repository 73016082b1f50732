import PoolModel
import PoolSystem
import PoolWire

/// The lines for `--results`: one for each operation, in the order of finishing.
final class ResultsFile {
  /// Where they go.
  enum Sink {
    /// A regular file, which takes them at once; closed with this.
    case file(Int32)
    /// A printer of their own, because what they go to may have no room: a pipe, a terminal.
    case own(Printer)
    /// A stream that outputs or messages go to as well, where each line is whole.
    case shared(Printer, isError: Bool)
  }

  private let sink: Sink
  private var writer = JSONWriter()
  private(set) var failure: SystemFailure?
  private var flushedAt = Instant.zero
  /// Operations whose lines were gathered.
  private var gathered: [Int] = []
  /// Called with the numbers of operations, or groups, whose lines were written.
  private let written: (@Sendable ([Int]) -> Void)?

  /// What is gathered before it is written: 64 KiB.
  private static let bufferSize = 64 << 10
  /// How long a line may wait for others: 100 ms.
  static let period = Int64.milliseconds(100)

  init(_ sink: Sink, written: (@Sendable (_ numbers: [Int]) -> Void)? = nil) {
    self.sink = sink
    self.written = written
  }

  deinit {
    if case .file(let descriptor) = sink { Descriptors.close(descriptor) }
  }

  /// Appends a line.
  ///
  /// Returns whether it is the first that was gathered: the caller flushes it after
  /// ``period``.
  func append(_ report: OperationReport, of number: Int, at now: Instant) -> Bool {
    let isFirst = writer.bytes.isEmpty
    report.append(to: &writer)
    if written != nil { gathered.append(number) }
    let isDue = now >= flushedAt.advanced(by: Self.period)
    guard isShared || isDue || writer.bytes.count >= Self.bufferSize else {
      return isFirst
    }
    flushedAt = now
    flush()
    return false
  }

  /// Appends how many outputs were not printed, which could not be said elsewhere; the last line.
  ///
  /// Only a file is sure to take it.
  func append(unprintedCount: Int) {
    guard unprintedCount > 0, case .file = sink else { return }
    writer.beginObject()
    writer.key("unprinted")
    writer.integer(unprintedCount)
    writer.endObject()
    writer.endLine()
    flush()
  }

  /// Writes what was gathered, or hands it over.
  func flush() {
    guard !writer.bytes.isEmpty else { return }
    switch sink {
    case .file(let descriptor): write(to: descriptor)
    case .own(let printer), .shared(let printer, isError: false):
      printer.write(lines: writer.bytes)
    case .shared(let printer, isError: true): printer.write(errorLines: writer.bytes)
    }
    writer.removeAll()
  }

  /// Hands over the rest; returns whether a thread of its own still writes it.
  func close() -> Bool {
    flush()
    guard case .own(let printer) = sink else { return false }
    printer.close()
    return true
  }

  private var isShared: Bool {
    if case .shared = sink { return true }
    return false
  }

  private func write(to descriptor: Int32) {
    do throws(SystemFailure) {
      if failure == nil {
        try SystemIO.writeAll(descriptor, writer.bytes)
        written?(gathered)
      }
    } catch {
      failure = error
    }
    gathered.removeAll()
  }
}
